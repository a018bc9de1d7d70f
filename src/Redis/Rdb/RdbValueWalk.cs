using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace RedisLatency.Redis.Rdb;

/// <summary>Takes values apart, whatever their encoding, and shows a visitor what is in them.</summary>
internal sealed class RdbValueWalk(IRdbValueVisitor visitor)
{
    /// <summary>A longer string comes in parts.</summary>
    public const int LongestPart = 16 << 20;

    private const byte NotANumber = 253;
    private const byte Infinite = 254;
    private const byte NegativeInfinite = 255;
    private const int PackedNode = 2;
    private const int PlainNode = 1;

    private readonly ValueBuffer _first = new();
    private readonly ValueBuffer _second = new();
    private readonly PackedWalk _packed = new(visitor);
    private readonly StreamWalk _streams = new(visitor);

    /// <exception cref="RdbException">The value is damaged, a module's, or of a type that is not known.</exception>
    public void Walk(RdbInput input, byte type, RdbFormat format)
    {
        switch (type)
        {
            case RdbType.String:
                WalkString(input);
                break;
            case RdbType.List or RdbType.Set:
                WalkStrings(input, isList: type == RdbType.List);
                break;
            case RdbType.SortedSet or RdbType.SortedSet2:
                WalkSortedSet(input, isBinary: type == RdbType.SortedSet2);
                break;
            case RdbType.Hash:
                WalkHash(input, FieldTime.None);
                break;
            case RdbType.Quicklist:
                for (var nodes = input.ReadLength(); nodes > 0; nodes--)
                    _packed.Walk(input, type, Text(input, _first));
                break;
            case RdbType.Quicklist2:
                WalkQuicklist(input);
                break;
            case RdbType.HashZipmap or RdbType.SetIntset
                or RdbType.ListZiplist or RdbType.SortedSetZiplist or RdbType.HashZiplist
                or RdbType.HashListpack or RdbType.SortedSetListpack or RdbType.SetListpack:
                _packed.Walk(input, type, Text(input, _first));
                break;
            default:
                WalkNewer(input, type, format);
                break;
        }
    }

    private void WalkNewer(RdbInput input, byte type, RdbFormat format)
    {
        switch (type)
        {
            case RdbType.ValkeyHash when format.IsValkey:
                WalkHash(input, FieldTime.Behind);
                break;
            case RdbType.HashTtlBeforeRelease when !format.IsValkey:
                WalkHash(input, FieldTime.InFront);
                break;
            case RdbType.HashTtl when !format.IsValkey:
                WalkHash(input, FieldTime.InFront, input.ReadInt64());
                break;
            case RdbType.HashListpackTtlBeforeRelease when !format.IsValkey:
                _packed.Walk(input, type, Text(input, _first));
                break;
            case RdbType.HashListpackTtl when !format.IsValkey:
                input.ReadInt64();
                _packed.Walk(input, type, Text(input, _first));
                break;
            case RdbType.Array when !format.IsValkey:
                WalkArray(input);
                break;
            case RdbType.Module2:
                throw input.Fault($"a module's value ({ModuleName.Of(input.ReadLength())}) cannot be taken apart");
            default:
                if (RdbType.KindOf(type, format) != RdbKind.Stream)
                    throw RdbValueSkipping.UnknownType(input, type, format);
                _streams.Walk(input, StreamLayout.Of(type));
                break;
        }
    }

    private static ReadOnlySpan<byte> Text(RdbInput input, ValueBuffer target)
    {
        target.Clear();
        input.ReadString(target);
        return target.Written;
    }

    private void WalkString(RdbInput input)
    {
        _first.Clear();
        var parts = 0;
        input.ReadString(_first, () =>
        {
            if (_first.Count < LongestPart)
                return;
            // A compressed string still refers to its last bytes.
            visitor.VisitString(_first.Written[..^Lzf.Window]);
            _first.KeepLast(Lzf.Window);
            parts++;
        });
        if (_first.Count > 0 || parts == 0)
            visitor.VisitString(_first.Written);
    }

    private void WalkStrings(RdbInput input, bool isList)
    {
        for (var left = input.ReadLength(); left > 0; left--)
        {
            if (isList)
                visitor.VisitItem(Text(input, _first));
            else
                visitor.VisitMember(Text(input, _first));
        }
    }

    private void WalkSortedSet(RdbInput input, bool isBinary)
    {
        Span<byte> digits = stackalloc byte[32];
        for (var left = input.ReadLength(); left > 0; left--)
        {
            var member = Text(input, _first);
            if (!isBinary)
            {
                var text = ReadScore(input);
                PackedWalk.RequireScore(input, text);
                visitor.VisitScored(member, text);
                continue;
            }

            var score = BinaryPrimitives.ReadDoubleLittleEndian(input.Read(sizeof(double)));
            if (double.IsNaN(score))
                throw input.Fault("a sorted set has a score that is no number");
            visitor.VisitScored(member, digits[..Format(score, digits)]);
        }
    }

    private static int Format(double score, Span<byte> digits)
    {
        if (double.IsInfinity(score))
            return Encoding.ASCII.GetBytes(score > 0 ? "inf" : "-inf", digits);
        score.TryFormat(digits, out var length, "R", CultureInfo.InvariantCulture);
        return length;
    }

    private ReadOnlySpan<byte> ReadScore(RdbInput input)
    {
        _second.Clear();
        switch (input.ReadByte())
        {
            case NotANumber:
                return "nan"u8;
            case Infinite:
                return "inf"u8;
            case NegativeInfinite:
                return "-inf"u8;
            case var length:
                _second.Append(input.Read(length));
                return _second.Written;
        }
    }

    // In front, the time counts from the earliest, 1 being that one; a release candidate wrote it as it is.
    private void WalkHash(RdbInput input, FieldTime time, long? earliest = null)
    {
        for (var left = input.ReadLength(); left > 0; left--)
        {
            var expiry = 0L;
            if (time == FieldTime.InFront)
            {
                expiry = (long)input.ReadLength();
                if (expiry != 0 && earliest is { } base1)
                    expiry = unchecked(base1 + expiry - 1);
            }

            var field = Text(input, _first);
            var value = Text(input, _second);
            if (time == FieldTime.Behind)
                expiry = Math.Max(input.ReadInt64(), 0);
            visitor.VisitField(field, value, expiry);
        }
    }

    private void WalkQuicklist(RdbInput input)
    {
        for (var nodes = input.ReadLength(); nodes > 0; nodes--)
        {
            switch (input.ReadLength())
            {
                case PlainNode when Text(input, _first) is { IsEmpty: false } item:
                    visitor.VisitItem(item);
                    break;
                case PackedNode:
                    _packed.Walk(input, RdbType.Quicklist2, Text(input, _first));
                    break;
                case PlainNode:
                    throw input.Fault("a list's node is empty");
                case var other:
                    throw input.Fault($"a list's node of kind {other}");
            }
        }
    }

    private void WalkArray(RdbInput input)
    {
        Span<byte> digits = stackalloc byte[32];
        var (left, inserted) = input.ReadArrayHead();
        for (; left > 0; left--)
        {
            var index = input.ReadLength();
            var length = 0;
            switch (input.ReadArrayTag())
            {
                case RdbArrayTag.Integer:
                    System.Buffers.Text.Utf8Formatter.TryFormat(input.ReadInt64(), digits, out length);
                    break;
                case RdbArrayTag.Double:
                    length = Format(BitConverter.Int64BitsToDouble(input.ReadInt64()), digits);
                    break;
                default:
                    visitor.VisitElement(index, Text(input, _first));
                    continue;
            }

            visitor.VisitElement(index, digits[..length]);
        }

        if (inserted is { } last)
            visitor.VisitInserted(last);
    }

    private enum FieldTime
    {
        None,
        InFront,
        Behind,
    }
}

/// <summary>
/// The name of a module's type, which its number holds: nine letters of six bits and a version of ten.
/// </summary>
internal static class ModuleName
{
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private const int VersionBits = 10;
    private const int LetterBits = 6;
    private const int LetterCount = 9;

    public static string OfValue(ReadOnlySpan<byte> value)
    {
        var head = value[..Math.Min(value.Length, sizeof(ulong) + 1)].ToArray();
        return Of(new RdbInput(head, head.Length).ReadLength());
    }

    public static string Of(ulong id) => string.Create(LetterCount, id >> VersionBits, static (text, letters) =>
    {
        for (var i = text.Length - 1; i >= 0; i--, letters >>= LetterBits)
            text[i] = Letters[(int)(letters & 0x3f)];
    });
}
