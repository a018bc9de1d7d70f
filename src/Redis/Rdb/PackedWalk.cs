using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

// Takes values apart that are one string, or a list's nodes: as strictly as rdb.c of Redis does with
// sanitize-dump-payload. That does not look at scores; a server falls over one that is no number.
internal sealed class PackedWalk(IRdbValueVisitor visitor)
{
    private const long LatestExpiry = (1L << 48) - 1;
    private const NumberStyles ScoreStyle =
        NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;

    private readonly SeenNames _names = new();

    public static void RequireScore(RdbInput input, ReadOnlySpan<byte> score)
    {
        if (!(score.SequenceEqual("inf"u8) || score.SequenceEqual("-inf"u8)
                || (double.TryParse(score, ScoreStyle, CultureInfo.InvariantCulture, out var number)
                    && !double.IsNaN(number))))
        {
            throw input.Fault($"a sorted set has the score {RespFault.Show(score)}, which is no number");
        }
    }

    public void Walk(RdbInput input, byte type, ReadOnlySpan<byte> bytes)
    {
        _names.Clear();
        switch (type)
        {
            case RdbType.HashZipmap:
                new Zipmap(input, bytes).Walk(visitor, _names);
                break;
            case RdbType.SetIntset:
                WalkIntset(input, bytes);
                break;
            default:
                WalkElements(input, type, bytes);
                break;
        }
    }

    private void WalkElements(RdbInput input, byte type, ReadOnlySpan<byte> bytes)
    {
        Span<byte> digits = stackalloc byte[PackedElements.DigitsLength];
        var isZiplist =
            type is RdbType.Quicklist or RdbType.ListZiplist or RdbType.SortedSetZiplist or RdbType.HashZiplist;
        var elements = isZiplist ? PackedElements.OfZiplist(input, bytes, digits)
            : PackedElements.OfListpack(input, bytes, digits);
        // Those fields that expire come first, by their times.
        var last = -1L;
        while (elements.TryNext(out var element))
        {
            switch (type)
            {
                case RdbType.SetListpack:
                    RequireNew(input, element);
                    visitor.VisitMember(element);
                    break;
                case RdbType.SortedSetZiplist or RdbType.SortedSetListpack:
                    RequireNew(input, element);
                    var score = elements.Next();
                    RequireScore(input, score);
                    visitor.VisitScored(element, score);
                    break;
                case RdbType.HashZiplist or RdbType.HashListpack:
                    RequireNew(input, element);
                    visitor.VisitField(element, elements.Next(), 0);
                    break;
                case RdbType.HashListpackTtl or RdbType.HashListpackTtlBeforeRelease:
                    RequireNew(input, element);
                    var value = elements.Next();
                    var expiry = elements.NextNumber();
                    if (expiry is < 0 or > LatestExpiry || (expiry != 0 && (last == 0 || expiry < last)))
                        throw input.Fault($"a hash has a field that expires at {expiry}, out of order");
                    last = expiry;
                    visitor.VisitField(element, value, expiry);
                    break;
                default:
                    visitor.VisitItem(element);
                    break;
            }
        }
    }

    private void RequireNew(RdbInput input, ReadOnlySpan<byte> name)
    {
        if (!_names.TryAdd(name))
            throw input.Fault($"{RespFault.Show(name)} is in it twice");
    }

    private void WalkIntset(RdbInput input, ReadOnlySpan<byte> bytes)
    {
        const int HeaderLength = 8;
        Span<byte> digits = stackalloc byte[20];
        var width = bytes.Length < HeaderLength ? 0 : BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        if (width is not (2 or 4 or 8)
            || bytes.Length != HeaderLength + (width * (long)BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..])))
        {
            throw input.Fault($"an intset of {bytes.Length} bytes is not as long as it says");
        }

        if (bytes.Length == HeaderLength)
            throw input.Fault("an intset is empty");
        var isFirst = true;
        var last = 0L;
        for (bytes = bytes[HeaderLength..]; !bytes.IsEmpty; bytes = bytes[(int)width..])
        {
            var number = width switch
            {
                2 => BinaryPrimitives.ReadInt16LittleEndian(bytes),
                4 => BinaryPrimitives.ReadInt32LittleEndian(bytes),
                _ => BinaryPrimitives.ReadInt64LittleEndian(bytes),
            };
            if (!isFirst && number <= last)
                throw input.Fault($"an intset has {number} behind {last}");
            (isFirst, last) = (false, number);
            Utf8Formatter.TryFormat(number, digits, out var length);
            visitor.VisitMember(digits[..length]);
        }
    }
}

/// <summary>A small hash as Redis before 2.6 stored it (zipmap.c).</summary>
internal ref struct Zipmap(RdbInput input, ReadOnlySpan<byte> bytes)
{
    private const byte End = 0xff;
    private const byte LongLength = 0xfe;
    private const byte CountUnknown = 0xfe;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private int _position;

    public void Walk(IRdbValueVisitor visitor, SeenNames names)
    {
        var announced = Take(1)[0];
        var count = 0;
        while (true)
        {
            var length = Take(1)[0];
            if (length == End)
                break;
            var field = Take(Length(length));
            var valueLength = Length(Take(1)[0]);
            var free = Take(1)[0];
            var value = Take(valueLength);
            Take(free);
            if (!names.TryAdd(field))
                throw input.Fault($"{RespFault.Show(field)} is in it twice");
            visitor.VisitField(field, value, 0);
            count++;
        }

        if (_position != _bytes.Length)
            throw input.Fault($"a zipmap of {_bytes.Length} bytes ends after {_position}");
        // Not known is written as 254, and by some as 255.
        if (count == 0 || (announced < CountUnknown && announced != count))
            throw input.Fault($"a zipmap has {count} fields, not {announced}");
    }

    private long Length(byte first) => first switch
    {
        End => throw input.Fault("a zipmap ends in the middle of a field"),
        LongLength => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint))),
        _ => first,
    };

    private ReadOnlySpan<byte> Take(long count)
    {
        if (count > _bytes.Length - _position)
            throw input.Fault($"a zipmap of {_bytes.Length} bytes has a field that reaches beyond its end");
        _position += (int)count;
        return _bytes.Slice(_position - (int)count, (int)count);
    }
}
