using System.Buffers.Binary;
using System.Buffers.Text;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// The elements of a ziplist or a listpack (ziplist.c, listpack.c of Redis), in order, as strictly as Redis looks at
/// them with sanitize-dump-payload. Numbers become digits; the last three elements stay valid.
/// </summary>
internal ref struct PackedElements
{
    /// <summary>Room that the caller lends for digits.</summary>
    public const int DigitsLength = Kept * LongestNumber;

    private const int Kept = 3;
    private const int LongestNumber = 20;
    private const byte End = 0xff;
    private const int CountUnknown = ushort.MaxValue;
    private const int ZiplistHeader = 10;
    private const int ListpackHeader = 6;
    private const int LongestBackLength = 5;
    private const byte LongPrevious = 0xfe;

    private readonly RdbInput _input;
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly Span<byte> _digits;
    private readonly bool _isZiplist;
    private readonly int _announced;
    private int _position;
    private int _count;
    private int _previous;

    private PackedElements(RdbInput input, ReadOnlySpan<byte> bytes, Span<byte> digits, bool isZiplist)
    {
        _input = input;
        _bytes = bytes;
        _digits = digits;
        _isZiplist = isZiplist;
        _position = isZiplist ? ZiplistHeader : ListpackHeader;
        if (bytes.Length <= _position || BinaryPrimitives.ReadUInt32LittleEndian(bytes) != bytes.Length
            || bytes[^1] != End)
        {
            throw Fault("is not as long as it says");
        }

        _announced = BinaryPrimitives.ReadUInt16LittleEndian(bytes[(_position - sizeof(ushort))..]);
    }

    public static PackedElements OfZiplist(RdbInput input, ReadOnlySpan<byte> bytes, Span<byte> digits) =>
        new(input, bytes, digits, isZiplist: true);

    public static PackedElements OfListpack(RdbInput input, ReadOnlySpan<byte> bytes, Span<byte> digits) =>
        new(input, bytes, digits, isZiplist: false);

    public bool TryNext(out ReadOnlySpan<byte> element)
    {
        if (_position == _bytes.Length - 1)
        {
            if (_announced != CountUnknown && _announced != _count)
                throw Fault($"has {_count} elements, not {_announced}");
            RequireTail();
            element = default;
            return false;
        }

        _count++;
        element = _isZiplist ? NextOfZiplist() : NextOfListpack();
        return true;
    }

    public ReadOnlySpan<byte> Next() =>
        TryNext(out var element) ? element : throw Fault("ends in the middle of what belongs together");

    public long NextNumber() => NumberOf(Next());

    // Text that reads back as it was, as Redis takes numbers that are stored as text.
    public readonly long NumberOf(ReadOnlySpan<byte> digits) =>
        Utf8Parser.TryParse(digits, out long number, out var read) && read == digits.Length
            && digits is not ([(byte)'+', ..] or [(byte)'0', _, ..] or [(byte)'-', (byte)'0', ..])
            ? number
            : throw Fault("has text where a number belongs");

    private ReadOnlySpan<byte> NextOfZiplist()
    {
        var from = _position;
        long previous = Take(1)[0];
        if (previous == LongPrevious)
            previous = BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint)));
        else if (previous == End)
            throw Fault("ends before its end");
        if (previous != (_count == 1 ? 0 : from - _previous))
            throw Fault($"has an element that says {previous} bytes of the one before it");
        _previous = from;
        var encoding = Take(1)[0];
        switch (encoding)
        {
            case < 0x40:
                return Take(encoding);
            case < 0x80:
                return Take(((encoding & 0x3f) << 8) | Take(1)[0]);
            case < 0xc0:
                return Take(BinaryPrimitives.ReadUInt32BigEndian(Take(4)));
            case 0xc0:
                return Number(BinaryPrimitives.ReadInt16LittleEndian(Take(2)));
            case 0xd0:
                return Number(BinaryPrimitives.ReadInt32LittleEndian(Take(4)));
            case 0xe0:
                return Number(BinaryPrimitives.ReadInt64LittleEndian(Take(8)));
            case 0xf0:
                return Number(Int24(Take(3)));
            case 0xfe:
                return Number((sbyte)Take(1)[0]);
            case >= 0xf1 and <= 0xfd:
                return Number(encoding - 0xf1);
            default:
                throw Fault($"has an element of encoding 0x{encoding:x2}");
        }
    }

    private ReadOnlySpan<byte> NextOfListpack()
    {
        var from = _position;
        var encoding = Take(1)[0];
        var element = encoding switch
        {
            < 0x80 => Number(encoding),
            < 0xc0 => Take(encoding & 0x3f),
            < 0xe0 => Number((((encoding & 0x1f) << 8 | Take(1)[0]) << 19) >> 19),
            < 0xf0 => Take(((encoding & 0x0f) << 8) | Take(1)[0]),
            0xf0 => Take(BinaryPrimitives.ReadUInt32LittleEndian(Take(4))),
            0xf1 => Number(BinaryPrimitives.ReadInt16LittleEndian(Take(2))),
            0xf2 => Number(Int24(Take(3))),
            0xf3 => Number(BinaryPrimitives.ReadInt32LittleEndian(Take(4))),
            0xf4 => Number(BinaryPrimitives.ReadInt64LittleEndian(Take(8))),
            _ => throw Fault($"has an element of encoding 0x{encoding:x2}"),
        };
        var length = _position - from;
        Take(LengthOfBackLength(length));
        // Most have one byte, which is their length.
        if (length > 127 || _bytes[_position - 1] != length)
            RequireBackLength(length);
        return element;
    }

    // Read backwards, as a server does: up to the first byte without the highest bit.
    private readonly void RequireBackLength(int length)
    {
        var found = 0L;
        for (var i = 0; i < LongestBackLength; i++)
        {
            var one = _bytes[_position - 1 - i];
            found |= (long)(one & 0x7f) << (7 * i);
            if (one >= 0x80)
                continue;
            if (found == length)
                return;
            break;
        }

        throw Fault($"has an element of {length} bytes with another length behind it");
    }

    private readonly void RequireTail()
    {
        if (!_isZiplist)
            return;
        var tail = BinaryPrimitives.ReadUInt32LittleEndian(_bytes[sizeof(uint)..]);
        if (_count == 0 ? tail >= _bytes.Length : tail != _previous)
            throw Fault($"says that its last element begins at {tail}");
    }

    private static int LengthOfBackLength(int length) => length switch
    {
        <= 127 => 1,
        < 16383 => 2,
        < 2097151 => 3,
        < 268435455 => 4,
        _ => 5,
    };

    private static int Int24(ReadOnlySpan<byte> bytes) => bytes[0] | (bytes[1] << 8) | ((sbyte)bytes[2] << 16);

    private readonly ReadOnlySpan<byte> Number(long number)
    {
        var place = _digits.Slice(_count % Kept * LongestNumber, LongestNumber);
        Utf8Formatter.TryFormat(number, place, out var length);
        return place[..length];
    }

    // The end mark belongs to no element.
    private ReadOnlySpan<byte> Take(long count)
    {
        if (count > _bytes.Length - 1 - _position)
            throw Fault("has an element that reaches beyond its end");
        _position += (int)count;
        return _bytes.Slice(_position - (int)count, (int)count);
    }

    private readonly RdbException Fault(string problem) =>
        _input.Fault($"a {(_isZiplist ? "ziplist" : "listpack")} of {_bytes.Length} bytes {problem}");
}
