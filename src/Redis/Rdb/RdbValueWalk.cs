using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// Takes values apart, whatever their encoding, and shows a visitor what is in them. Without a visitor only lengths are
/// read, so that the end is found of a value that is damaged within.
/// </summary>
internal sealed class RdbValueWalk(IRdbValueVisitor? visitor)
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
    private readonly PackedWalk? _packed = visitor is null ? null : new(visitor);
    private readonly StreamWalk _streams = new(visitor);

    /// <exception cref="RdbException">
    /// The value is damaged, of a type that is not known, or a module's and to be shown.
    /// </exception>
    public void Walk(RdbInput input, byte type, RdbFormat format)
    {
        WalkValue(input, type, format);
        _first.Release();
        _second.Release();
    }

    private void WalkValue(RdbInput input, byte type, RdbFormat format)
    {
        switch (type)
        {
            case RdbType.String when visitor is null:
                input.SkipString();
                break;
            case RdbType.String:
                WalkString(input, visitor);
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
                    WalkPacked(input, type);
                break;
            case RdbType.Quicklist2:
                WalkQuicklist(input);
                break;
            case RdbType.HashZipmap or RdbType.SetIntset
                or RdbType.ListZiplist or RdbType.SortedSetZiplist or RdbType.HashZiplist
                or RdbType.HashListpack or RdbType.SortedSetListpack or RdbType.SetListpack:
                WalkPacked(input, type);
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
                WalkPacked(input, type);
                break;
            case RdbType.HashListpackTtl when !format.IsValkey:
                input.ReadInt64();
                WalkPacked(input, type);
                break;
            case RdbType.Array when !format.IsValkey:
                WalkArray(input);
                break;
            case RdbType.Module2 when visitor is null:
                input.ReadLength();
                input.SkipModuleFields();
                break;
            case RdbType.Module2:
                throw input.Fault($"a module's value ({ModuleName.Of(input.ReadLength())}) cannot be taken apart");
            default:
                if (RdbType.KindOf(type, format) != RdbKind.Stream)
                    throw UnknownType(input, type, format);
                _streams.Walk(input, StreamLayout.Of(type));
                break;
        }
    }

    private static RdbException UnknownType(RdbInput input, byte type, RdbFormat format) => input.Fault(
        type == RdbType.ModuleBeforeRelease
            ? "a module's value of a release candidate of Redis 4.0, which no release reads"
            : $"a value of type {type}, which is not known of {format}: where it ends cannot be told");

    // Nothing where nobody is shown it.
    private ReadOnlySpan<byte> Text(RdbInput input, ValueBuffer target)
    {
        if (visitor is null)
        {
            input.SkipString();
            return default;
        }

        target.Clear();
        input.ReadString(target);
        return target.Written;
    }

    private void WalkString(RdbInput input, IRdbValueVisitor shown)
    {
        _first.Clear();
        var parts = 0;
        input.ReadString(_first, () =>
        {
            if (_first.Count < LongestPart)
                return;
            // A compressed string still refers to its last bytes.
            shown.VisitString(_first.Written[..^Lzf.Window]);
            _first.KeepLast(Lzf.Window);
            parts++;
        });
        if (_first.Count > 0 || parts == 0)
            shown.VisitString(_first.Written);
    }

    private void WalkPacked(RdbInput input, byte type)
    {
        var bytes = Text(input, _first);
        _packed?.Walk(input, type, bytes);
    }

    private void WalkStrings(RdbInput input, bool isList)
    {
        for (var left = input.ReadLength(); left > 0; left--)
        {
            var text = Text(input, _first);
            if (isList)
                visitor?.VisitItem(text);
            else
                visitor?.VisitMember(text);
        }
    }

    private void WalkSortedSet(RdbInput input, bool isBinary)
    {
        Span<byte> digits = stackalloc byte[32];
        for (var left = input.ReadLength(); left > 0; left--)
        {
            var member = Text(input, _first);
            var stored = isBinary ? input.Read(sizeof(double)) : ReadScore(input);
            if (visitor is null)
                continue;
            var score = isBinary ? digits[..Format(ReadNumber(input, stored), digits)] : stored;
            if (!isBinary)
                PackedWalk.RequireScore(input, score);
            visitor.VisitScored(member, score);
        }
    }

    private static double ReadNumber(RdbInput input, ReadOnlySpan<byte> stored) =>
        BinaryPrimitives.ReadDoubleLittleEndian(stored) is var score && double.IsNaN(score)
            ? throw input.Fault("a sorted set has a score that is no number")
            : score;

    private static int Format(double score, Span<byte> digits)
    {
        if (double.IsInfinity(score))
            return Encoding.ASCII.GetBytes(score > 0 ? "inf" : "-inf", digits);
        score.TryFormat(digits, out var length, "R", CultureInfo.InvariantCulture);
        return length;
    }

    private static ReadOnlySpan<byte> ReadScore(RdbInput input) => input.ReadByte() switch
    {
        NotANumber => "nan"u8,
        Infinite => "inf"u8,
        NegativeInfinite => "-inf"u8,
        var length => input.Read(length),
    };

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
            visitor?.VisitField(field, value, expiry);
        }
    }

    private void WalkQuicklist(RdbInput input)
    {
        for (var nodes = input.ReadLength(); nodes > 0; nodes--)
        {
            var kind = input.ReadLength();
            var node = Text(input, _first);
            if (kind == PackedNode)
                _packed?.Walk(input, RdbType.Quicklist2, node);
            else if (visitor is not null)
                visitor.VisitItem(RequireItem(input, kind, node));
        }
    }

    private static ReadOnlySpan<byte> RequireItem(RdbInput input, ulong kind, ReadOnlySpan<byte> node) =>
        kind != PlainNode ? throw input.Fault($"a list's node of kind {kind}")
            : node.IsEmpty ? throw input.Fault("a list's node is empty")
            : node;

    private void WalkArray(RdbInput input)
    {
        Span<byte> digits = stackalloc byte[32];
        var left = input.ReadLength();
        ulong? inserted = input.ReadLength() switch
        {
            0 => null,
            1 => input.ReadLength(),
            var other => throw input.Fault($"an array whose place of insertion is of kind {other}"),
        };
        for (; left > 0; left--)
        {
            var index = input.ReadLength();
            var value = ReadElement(input, digits);
            visitor?.VisitElement(index, value);
        }

        if (inserted is { } last)
            visitor?.VisitInserted(last);
    }

    // How an array has one of its elements: sparsearray.h of Redis 8.8.
    private ReadOnlySpan<byte> ReadElement(RdbInput input, Span<byte> digits)
    {
        const ulong PlainText = 0;
        const ulong Double = 2;
        const ulong ShortText = 3;
        var tag = input.ReadLength();
        if (tag is PlainText or ShortText)
            return Text(input, _first);
        if (tag > ShortText)
            throw input.Fault("an array's element of a kind that is not known");
        var bits = input.ReadInt64();
        if (visitor is null)
            return default;
        var length = 0;
        if (tag == Double)
            length = Format(BitConverter.Int64BitsToDouble(bits), digits);
        else
            System.Buffers.Text.Utf8Formatter.TryFormat(bits, digits, out length);
        return digits[..length];
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

    public static string Of(ulong id) => string.Create(LetterCount, id >> VersionBits, static (text, letters) =>
    {
        for (var i = text.Length - 1; i >= 0; i--, letters >>= LetterBits)
            text[i] = Letters[(int)(letters & 0x3f)];
    });
}
