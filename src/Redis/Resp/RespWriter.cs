using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Text;

namespace RedisLatency.Redis.Resp;

/// <summary>
/// Writes RESP2 and RESP3 into one growing buffer: requests on the client's side, replies on the server's.
/// Nothing is allocated while the buffer suffices.
/// Source: https://redis.io/docs/latest/develop/reference/protocol-spec.
/// </summary>
public sealed class RespWriter(int capacity = 4096)
{
    private const int Long = 4 << 20;

    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(Math.Max(capacity, 64), pinned: true);

    /// <summary>How many bytes have been written since the last <see cref="Clear"/>.</summary>
    public int Length { get; private set; }

    /// <summary>How many bytes it holds without taking memory.</summary>
    public int Capacity => _buffer.Length;

    /// <summary>What has been written since the last <see cref="Clear"/>.</summary>
    public ReadOnlySpan<byte> Written => _buffer.AsSpan(0, Length);

    /// <summary>Forgets what was written; the buffer stays.</summary>
    public void Clear() => Length = 0;

    /// <summary>Writes the header of an array; as many elements must follow.</summary>
    public void WriteArrayHeader(int count) => WriteHeader((byte)'*', count);

    /// <summary>Puts the header of an array into the room in front of its elements.</summary>
    /// <returns>Where it begins.</returns>
    internal int PutArrayHeader(int room, int count)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(count, digits, out var length);
        var start = room - length - 3;
        _buffer[start] = (byte)'*';
        digits[..length].CopyTo(_buffer.AsSpan(start + 1));
        "\r\n"u8.CopyTo(_buffer.AsSpan(room - 2));
        return start;
    }

    /// <summary>Writes the header of an aggregate; as many elements, of a map pairs, must follow.</summary>
    public void WriteHeader(RespType type, int count) => WriteHeader((byte)type, count);

    /// <summary>Writes a bulk string.</summary>
    public void WriteBulkString(ReadOnlySpan<byte> value)
    {
        WriteHeader((byte)'$', value.Length);
        var target = Reserve(value.Length + 2);
        value.CopyTo(target);
        target[value.Length] = (byte)'\r';
        target[value.Length + 1] = (byte)'\n';
        Length += value.Length + 2;
    }

    /// <summary>Writes a bulk string in UTF-8.</summary>
    public void WriteBulkString(string value)
    {
        var count = Encoding.UTF8.GetByteCount(value);
        WriteHeader((byte)'$', count);
        var target = Reserve(count + 2);
        Encoding.UTF8.GetBytes(value, target);
        target[count] = (byte)'\r';
        target[count + 1] = (byte)'\n';
        Length += count + 2;
    }

    /// <summary>Writes a bulk string that holds a decimal number.</summary>
    public void WriteBulkString(long value)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(value, digits, out var count);
        WriteBulkString(digits[..count]);
    }

    /// <summary>Writes an error, its code first: <c>ERR syntax error</c>; no line break may be in it.</summary>
    public void WriteError(string message) => WriteLine((byte)'-', Encoding.UTF8.GetBytes(message));

    /// <summary>Writes an integer.</summary>
    public void WriteInteger(long value) => WriteHeader((byte)':', value);

    /// <summary>Writes RESP2's null bulk string.</summary>
    public void WriteNullBulkString() => WriteRaw("$-1\r\n"u8);

    /// <summary>Writes RESP3's null.</summary>
    public void WriteNull() => WriteRaw("_\r\n"u8);

    /// <summary>Writes bytes as they are.</summary>
    public void WriteRaw(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Reserve(bytes.Length));
        Length += bytes.Length;
    }

    /// <summary>Room for so many bytes as they are, to be filled and followed by <see cref="Advance"/>.</summary>
    public Span<byte> GetSpan(int count) => Reserve(count)[..count];

    /// <summary>So many bytes of <see cref="GetSpan"/> were filled.</summary>
    public void Advance(int count) => Length += count;

    /// <summary>Writes a whole request from its words.</summary>
    public void WriteRequest(params ReadOnlySpan<string> words)
    {
        WriteArrayHeader(words.Length);
        foreach (var word in words)
            WriteBulkString(word);
    }

    private void WriteLine(byte type, ReadOnlySpan<byte> text)
    {
        var target = Reserve(text.Length + 3);
        target[0] = type;
        text.CopyTo(target[1..]);
        target[text.Length + 1] = (byte)'\r';
        target[text.Length + 2] = (byte)'\n';
        Length += text.Length + 3;
    }

    private void WriteHeader(byte type, long number)
    {
        var target = Reserve(24);
        target[0] = type;
        Utf8Formatter.TryFormat(number, target[1..], out var count);
        target[count + 1] = (byte)'\r';
        target[count + 2] = (byte)'\n';
        Length += count + 3;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> Reserve(int count)
    {
        if (_buffer.Length - Length < count)
            Grow(count);
        return _buffer.AsSpan(Length);
    }

    private void Grow(int count)
    {
        // Of a long value no more than it needs, and little more for what stands behind it.
        var size = count > _buffer.Length / 2 ? Length + (long)count
            : _buffer.Length < Long ? _buffer.Length * 2L
            : Math.Max(Length + (long)count, _buffer.Length * 5L / 4);
        var larger = GC.AllocateUninitializedArray<byte>(checked((int)Math.Min(size, Array.MaxLength)), pinned: true);
        Written.CopyTo(larger);
        _buffer = larger;
    }
}
