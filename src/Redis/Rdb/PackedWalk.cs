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
