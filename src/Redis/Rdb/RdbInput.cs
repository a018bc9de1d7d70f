using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// The bytes of an RDB file or a DUMP payload, read forward: lengths and strings as rdb.c of Redis writes them. Between
/// <see cref="Mark"/> and <see cref="Release"/> everything stays in memory, so that it can be taken as it is or read
/// again. No memory is taken for a length that was only announced.
/// </summary>
internal sealed class RdbInput
{
    private readonly Stream? _source;
    private byte[] _buffer;
    private long _start;
    private int _position;
    private int _end;
    private int _mark = None;
    private int _hashed;
    private ulong _crc;
    private ulong _announced;

    private const int None = -1;
    private const int ReadSize = 64 << 10;

    // When so much of a value is there, its announced length is believed, and no more memory taken than it needs.
    private const int Believed = 4 << 20;

    // No server takes longer ones (proto-max-bulk-len at most), and sums with it do not overflow.
    private const ulong LongestString = 1UL << 40;

    private const int Int8 = 0;
    private const int Int16 = 1;
    private const int Int32 = 2;
    private const int Compressed = 3;

    public RdbInput(Stream source, int capacity)
    {
        _source = source;
        _buffer = GC.AllocateUninitializedArray<byte>(Math.Max(capacity, 16));
    }

    /// <summary>Of a value that is whole in memory; offsets begin there.</summary>
    public RdbInput(byte[] whole, int count)
    {
        _buffer = whole;
        _end = count;
    }

    public long Offset => _start + _position;

    /// <summary>The most bytes that a mark may hold; beyond it <see cref="MarkTooLongException"/> is thrown.</summary>
    public long MarkLimit { get; set; } = long.MaxValue;

    /// <summary>
    /// The most bytes of a text that cannot be cut, as a key, a member or a field: they are held as a whole.
    /// </summary>
    public long LongestText { get; init; } = RdbReader.LongestText;

    /// <summary>Whose value is read, for messages.</summary>
    public ValueBuffer Key { get; } = new();

    public bool IsInKey { get; set; }

    /// <summary>What was received and not read.</summary>
    public ReadOnlySpan<byte> Unread => _buffer.AsSpan(_position, _end - _position);

    public ReadOnlyMemory<byte> Marked => _buffer.AsMemory(_mark, _position - _mark);

    public void Mark() => _mark = _position;

    public void Release() => _mark = None;

    /// <summary>Goes back to the mark, to read the same again; it is then released.</summary>
    public void Rewind() => (_position, _mark) = (_mark, None);

    /// <summary>The checksum of everything that was read.</summary>
    public ulong Checksum()
    {
        Hash(_position);
        return _crc;
    }

    public RdbException Fault(string problem) =>
        new(problem, Offset, IsInKey ? RespFault.Show(Key.Written) : null);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte ReadByte()
    {
        if (_position == _end)
            Fill(1);
        return _buffer[_position++];
    }

    /// <summary>The next bytes, in one piece; valid until something else is read.</summary>
    public ReadOnlySpan<byte> Read(int count)
    {
        if (_end - _position < count)
            Fill(count);
        _position += count;
        return _buffer.AsSpan(_position - count, count);
    }

    /// <summary>What is there of the next bytes, at least one and at most so many.</summary>
    public ReadOnlySpan<byte> ReadSome(ulong most)
    {
        if (_position == _end)
            Fill(1);
        return Read((int)Math.Min(most, (ulong)(_end - _position)));
    }

    public long ReadInt64() => BinaryPrimitives.ReadInt64LittleEndian(Read(8));

    public void Skip(ulong count)
    {
        while (count > (ulong)(_end - _position))
        {
            count -= (ulong)(_end - _position);
            _position = _end;
            _announced = count;
            Fill(1);
        }

        _announced = 0;
        _position += (int)count;
    }

    public ulong ReadLength() => TryReadLength(out var length, out _)
        ? length
        : throw Fault("a length is expected, and an encoded string stands there");

    /// <summary>A length that counts things; what is no length at all is found when they do not come.</summary>
    public int ReadSmall(string what)
    {
        var length = ReadLength();
        return length <= int.MaxValue ? (int)length : throw Fault($"{what} is {length}");
    }

    public void SkipString()
    {
        if (TryReadLength(out var length, out var encoding))
            Skip(length);
        else if (encoding == Compressed)
            Skip(ReadCompressedLengths().Compressed);
        else
            Skip(1UL << encoding);
    }

    /// <summary>Adds the string to the target, decompressed, numbers as digits.</summary>
    public void ReadString(ValueBuffer target, Action? whenLong = null)
    {
        if (TryReadLength(out var length, out var encoding))
        {
            RequireRoom(length, target, whenLong);
            while (length > 0)
            {
                var some = ReadSome(length);
                target.Append(some);
                length -= (ulong)some.Length;
                whenLong?.Invoke();
            }
        }
        else if (encoding == Compressed)
        {
            var (compressed, plain) = ReadCompressedLengths();
            RequireRoom(plain, target, whenLong);
            Lzf.Decompress(this, compressed, plain, target, whenLong);
        }
        else
        {
            target.AppendNumber(ReadNumber(encoding));
        }
    }

    /// <summary>The same of one that is no longer than so many bytes; what is longer is passed over.</summary>
    public bool TryReadString(ValueBuffer target, ulong most)
    {
        if (!TryReadLength(out var length, out var encoding) && encoding != Compressed)
        {
            target.AppendNumber(ReadNumber(encoding));
            return true;
        }

        var (stored, plain) = encoding == Compressed ? ReadCompressedLengths() : (length, length);
        if (plain > most)
        {
            Skip(stored);
            return false;
        }

        if (encoding == Compressed)
            Lzf.Decompress(this, stored, plain, target);
        else
            target.Append(Read((int)length));
        return true;
    }

    private bool TryReadLength(out ulong length, out int encoding)
    {
        var first = ReadByte();
        (length, encoding) = (0, None);
        switch (first >> 6)
        {
            case 0:
                length = (ulong)(first & 0x3f);
                return true;
            case 1:
                length = ((ulong)(first & 0x3f) << 8) | ReadByte();
                return true;
            case 2 when first == 0x80:
                length = BinaryPrimitives.ReadUInt32BigEndian(Read(4));
                return true;
            case 2 when first == 0x81:
                length = BinaryPrimitives.ReadUInt64BigEndian(Read(8));
                return true;
            case 3 when (first & 0x3f) <= Compressed:
                encoding = first & 0x3f;
                return false;
            default:
                throw Fault($"0x{first:x2} begins neither a length nor a string");
        }
    }

    private long ReadNumber(int encoding) => encoding switch
    {
        Int8 => (sbyte)ReadByte(),
        Int16 => BinaryPrimitives.ReadInt16LittleEndian(Read(2)),
        Int32 => BinaryPrimitives.ReadInt32LittleEndian(Read(4)),
        _ => throw Fault($"a string of encoding {encoding}"),
    };

    private (ulong Compressed, ulong Plain) ReadCompressedLengths()
    {
        var compressed = ReadLength();
        return compressed < LongestString
            ? (compressed, ReadLength())
            : throw Fault($"a compressed string of {compressed} bytes");
    }

    private void RequireRoom(ulong length, ValueBuffer target, Action? whenLong)
    {
        if (whenLong is null && length > (ulong)LongestText)
            throw Fault($"a text of {length} bytes, of which at most {LongestText} are held (--big-value)");
        if (length > LongestString)
            throw Fault($"a string of {length} bytes");
        target.Expected = whenLong is null ? target.Count + (long)length : 0;
    }

    /// <summary>Sees to it that so many bytes are there from the position on.</summary>
    private void Fill(int count)
    {
        if (_source is null)
            throw Truncated();
        MakeRoom();
        while (_end - _position < count)
        {
            if (_mark != None && _end - _mark > MarkLimit)
                throw new MarkTooLongException();
            if (_end == _buffer.Length)
                Grow();
            var received = _source.Read(_buffer.AsSpan(_end));
            if (received == 0)
                throw Truncated();
            _end += received;
        }
    }

    private RdbException Truncated()
    {
        var at = _start + _end;
        return new($"the data ends {(IsInKey ? "within a value" : "before its end mark")}", at,
            IsInKey ? RespFault.Show(Key.Written) : null);
    }

    private void MakeRoom()
    {
        var kept = _mark == None ? _position : _mark;
        if (kept == 0)
            return;
        Hash(kept);
        _buffer.AsSpan(kept, _end - kept).CopyTo(_buffer);
        _start += kept;
        _position -= kept;
        _end -= kept;
        _hashed -= kept;
        if (_mark != None)
            _mark = 0;
    }

    private void Hash(int end)
    {
        if (end <= _hashed)
            return;
        _crc = Crc64.Append(_crc, _buffer.AsSpan(_hashed, end - _hashed));
        _hashed = end;
    }

    // Not beyond what a mark may hold by more than one read: such a value is let go of anyway.
    private void Grow()
    {
        if (_buffer.Length == Array.MaxLength)
            throw Fault("a value of more than 2 GiB");
        var size = Math.Min(2L * _buffer.Length, Array.MaxLength);
        if (_announced is > 0 and < int.MaxValue && _buffer.Length >= Believed)
            size = Math.Min(_end + (long)_announced + ReadSize, Array.MaxLength);
        if (_buffer.Length < MarkLimit)
            size = Math.Min(size, Math.Min(MarkLimit, Array.MaxLength - ReadSize) + ReadSize);
        Array.Resize(ref _buffer, (int)size);
    }
}

/// <summary>A value is longer than may be held: whoever set the mark goes back to it.</summary>
internal sealed class MarkTooLongException : Exception;
