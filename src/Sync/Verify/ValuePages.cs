using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Verify;

/// <summary>Compares two values of one type by their contents, as much at a time as makes a piece.</summary>
internal sealed class ValuePages(EndKey from, EndKey to, long? size, long toleranceMs)
{
    /// <summary>How many bytes of a value are asked for at once, as far as its server says how long it is.</summary>
    public const long Piece = 4L << 20;

    // Where nobody knows how long they are.
    private const int UnknownPage = 1_000;

    private static readonly byte[] Count = "COUNT"u8.ToArray();
    private static readonly byte[] Fields = "FIELDS"u8.ToArray();
    private static readonly byte[] Start = "0"u8.ToArray();
    private static readonly byte[] Last = "-1"u8.ToArray();

    public async Task<Difference?> CompareStrings()
    {
        for (var at = 0L; ; at += Piece)
        {
            var range = (EndKey.Number(at), EndKey.Number(at + Piece - 1));
            var parts = (from.Ask("GETRANGE", range.Item1, range.Item2), to.Ask("GETRANGE", range.Item1, range.Item2));
            var (one, other) = (await parts.Item1, await parts.Item2);
            var same = one.Content.CommonPrefixLength(other.Content);
            if (same < Math.Max(one.Content.Length, other.Content.Length))
                return Of("byte", EndKey.Number(at + same), one);
            if (same < Piece)
                return null;
        }
    }

    public async Task<Difference?> CompareLists()
    {
        var page = await ElementsOf("LLEN");
        for (var at = 0L; ; at += page)
        {
            var (first, last) = (EndKey.Number(at), page == long.MaxValue ? Last : EndKey.Number(at + page - 1));
            var items = (from.Ask("LRANGE", first, last), to.Ask("LRANGE", first, last));
            var (one, other) = ((await items.Item1).Items, (await items.Item2).Items);
            for (var i = 0; i < Math.Max(one.Count, other.Count); i++)
            {
                if (i >= one.Count || i >= other.Count || !IsSame(one[i], other[i]))
                    return Of("item", EndKey.Number(at + i), [.. one.Skip(i).Take(1)]);
            }

            if (one.Count < page)
                return null;
        }
    }

    /// <summary>Of hashes, sets and sorted sets, which have no order that counts.</summary>
    public async Task<Difference?> CompareMembers(string type)
    {
        var kind = MemberKind.Of(type);
        var lengths = (from.Ask(kind.Length), to.Ask(kind.Length));
        var (one, other) = ((await lengths.Item1).Number, (await lengths.Item2).Number);
        var difference = await FindDifferent(kind, from, to, one, isThere: false);
        // Fields that have expired may still be counted: only what can be named is a difference.
        return difference is null && one != other
            ? await FindDifferent(kind, to, from, other, isThere: true)
            : difference;
    }

    /// <summary>How many elements make a piece; all of a value that is none.</summary>
    public async Task<long> ElementsOf(string length) =>
        size < Piece ? long.MaxValue : ElementsOf((await from.Ask(length)).Number);

    public static Difference Of(string part, byte[]? name, params IReadOnlyList<RespValue> source) =>
        new(DifferenceKind.Value, part, name) { Evidence = EvidenceOf(source) };

    public static bool IsSame(IReadOnlyList<RespValue> one, IReadOnlyList<RespValue> other)
    {
        if (one.Count != other.Count)
            return false;
        for (var i = 0; i < one.Count; i++)
        {
            if (!IsSame(one[i], other[i]))
                return false;
        }

        return true;
    }

    public static bool IsSame(RespValue one, RespValue other) => one.IsNull == other.IsNull
        && one.Content.SequenceEqual(other.Content) && IsSame(one.Items, other.Items);

    private long ElementsOf(long count) => size is not { } bytes ? UnknownPage
        : bytes < Piece ? count
        : Math.Max(1, (long)((double)count / bytes * Piece));

    private static ulong EvidenceOf(IReadOnlyList<RespValue> values) => values.Aggregate(
        0UL, (sum, value) => (((sum * 31) + StableHash.Of(value.Content)) * 31) + EvidenceOf(value.Items));

    // What the one has and the other has not; or not so.
    private async Task<Difference?> FindDifferent(
        MemberKind kind, EndKey one, EndKey other, long length, bool isThere)
    {
        var count = EndKey.Number(Math.Max(ElementsOf(length), 10));
        var cursor = Start;
        do
        {
            var page = await one.Ask(kind.Scan, cursor, Count, count);
            cursor = page.Items[0].Content.ToArray();
            var items = page.Items[1].Items;
            var names = new byte[items.Count / kind.Step][];
            for (var i = 0; i < names.Length; i++)
                names[i] = items[i * kind.Step].Content.ToArray();
            if (names.Length == 0)
                continue;
            var found = await Find(kind, other, names);
            var times = kind.HasTimes ? (await TimesOf(one, names), await TimesOf(other, names)) : default;
            for (var i = 0; i < names.Length; i++)
            {
                var value = items[(i * kind.Step) + kind.Step - 1];
                if (kind.IsAbsent(found[i]) || (!isThere && !kind.IsSame(value, found[i])))
                    return Of(kind.Part, names[i], isThere ? [] : [value]);
                if (times.Item1?[i] is { } time && times.Item2![i] is var at && !time.IsWithin(at, toleranceMs))
                {
                    return new Difference(
                        DifferenceKind.Value, "time of field", names[i], time.ToString(), at.ToString())
                    {
                        Evidence = time.Evidence,
                    };
                }
            }
        }
        while (!cursor.AsSpan().SequenceEqual(Start));

        return null;
    }

    private static async Task<IReadOnlyList<RespValue>> Find(MemberKind kind, EndKey key, byte[][] names)
    {
        if (key.End.Knows(kind.FindMany))
            return (await key.Ask(kind.FindMany, names)).Items;
        var asked = names.Select(name => key.Ask(kind.FindOne, name)).ToList();
        return await Task.WhenAll(asked);
    }

    private static async Task<KeyTime[]> TimesOf(EndKey key, byte[][] fields)
    {
        if (!key.End.Knows("HPEXPIRETIME"))
            return [.. fields.Select(_ => new KeyTime(-1, IsExact: true))];
        var reply = await key.Ask("HPEXPIRETIME", [Fields, EndKey.Number(fields.Length), .. fields]);
        return [.. reply.Items.Select(time => new KeyTime(time.Number, IsExact: true))];
    }
}
