namespace RedisLatency.Redis.Rdb;

/// <summary>Bytes that are put together; grows with what comes, and keeps its memory.</summary>
internal sealed class ValueBuffer
{
    private const int Least = 256;
    private const int MostKept = 4 << 20;

    private byte[] _bytes = new byte[Least];

    public int Count { get; private set; }

    /// <summary>How many bytes it shall have, as was announced: that is believed once some of them are there.</summary>
    public long Expected { get; set; }

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Count);

    public void Clear() => Count = 0;

    /// <summary>Forgets all, and gives back the memory of a long text.</summary>
    public void Release()
    {
        Count = 0;
        if (_bytes.Length > MostKept)
            _bytes = new byte[Least];
    }

    public void Append(byte one) => Reserve(1)[0] = one;

    public void Append(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Reserve(bytes.Length));

    public void AppendNumber(long number)
    {
        Span<byte> digits = stackalloc byte[20];
        System.Buffers.Text.Utf8Formatter.TryFormat(number, digits, out var count);
        Append(digits[..count]);
    }

    /// <summary>Repeats bytes that were written so far before; they may reach into those that are written.</summary>
    public void AppendFromBefore(int distance, int length)
    {
        var from = Count - distance;
        var target = Reserve(length);
        var source = _bytes.AsSpan(from, length);
        if (distance >= length)
        {
            source.CopyTo(target);
            return;
        }

        for (var i = 0; i < length; i++)
            target[i] = source[i];
    }

    /// <summary>Forgets all but the last bytes.</summary>
    public void KeepLast(int count)
    {
        var kept = Math.Min(count, Count);
        _bytes.AsSpan(Count - kept, kept).CopyTo(_bytes);
        Count = kept;
    }

    private Span<byte> Reserve(int count)
    {
        if (_bytes.Length - Count < count)
        {
            var size = _bytes.Length < MostKept || Expected <= _bytes.Length ? 2L * _bytes.Length : Expected;
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max(size, Count + (long)count), Array.MaxLength));
        }

        var reserved = _bytes.AsSpan(Count, count);
        Count += count;
        return reserved;
    }
}
