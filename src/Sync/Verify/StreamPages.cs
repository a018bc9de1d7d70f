using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Verify;

/// <summary>
/// Compares two streams: entries, the last id, groups and what is pending in them. Idle times, counts of what was ever
/// read or added, and consumers that have nothing pending are each server's own.
/// </summary>
internal sealed class StreamPages(EndKey from, EndKey to, ValuePages pages)
{
    private const int MostPending = 10_000;

    private static readonly byte[] Stream = "STREAM"u8.ToArray();
    private static readonly byte[] Groups = "GROUPS"u8.ToArray();
    private static readonly byte[] Count = "COUNT"u8.ToArray();
    private static readonly byte[] First = "-"u8.ToArray();
    private static readonly byte[] Last = "+"u8.ToArray();

    public async Task<Difference?> Compare() =>
        await CompareEntries() ?? await CompareLastIds() ?? await CompareGroups();

    private async Task<Difference?> CompareEntries()
    {
        var page = Math.Min(await pages.ElementsOf("XLEN"), int.MaxValue);
        return await ComparePages(
            "entry", page, (key, start) => key.Ask("XRANGE", start, Last, Count, EndKey.Number(page)),
            entry => entry.Items);
    }

    private async Task<Difference?> CompareLastIds()
    {
        var infos = (from.AskOf("XINFO", Stream), to.AskOf("XINFO", Stream));
        var (one, other) = (LastOf(await infos.Item1), LastOf(await infos.Item2));
        return ValuePages.IsSame(one, other) ? null
            : ValuePages.Of("last id", null, one) with { Source = one.Text, Destination = other.Text };

        static RespValue LastOf(RespValue info) => Required(info, "last-generated-id");
    }

    private async Task<Difference?> CompareGroups()
    {
        var replies = (from.AskOf("XINFO", Groups), to.AskOf("XINFO", Groups));
        var (one, other) = (ByName(await replies.Item1), ByName(await replies.Item2));
        foreach (var name in one.Keys.Union(other.Keys))
        {
            var bytes = Encoding.Latin1.GetBytes(name);
            if (!one.TryGetValue(name, out var last))
                return ValuePages.Of("group", bytes);
            if (!other.TryGetValue(name, out var otherLast))
                return ValuePages.Of("group", bytes, last);
            if (!ValuePages.IsSame(last, otherLast))
            {
                return ValuePages.Of("group", bytes, last) with { Source = last.Text, Destination = otherLast.Text };
            }

            var pending = await ComparePages(
                $"pending entry of group {Encoding.UTF8.GetString(bytes)}", MostPending,
                (key, start) => key.Ask("XPENDING", bytes, start, Last, EndKey.Number(MostPending)), Compared);
            if (pending is not null)
                return pending;
        }

        return null;
    }

    // By id, page by page, from the last one on.
    private async Task<Difference?> ComparePages(
        string part, long page, Func<EndKey, byte[], Task<RespValue>> ask,
        Func<RespValue, IReadOnlyList<RespValue>> compared)
    {
        var start = First;
        while (true)
        {
            var replies = (ask(from, start), ask(to, start));
            var (one, other) = ((await replies.Item1).Items, (await replies.Item2).Items);
            for (var i = 0; i < Math.Max(one.Count, other.Count); i++)
            {
                var (mine, its) = (At(one, i), At(other, i));
                if (mine is null || its is null || !ValuePages.IsSame(compared(mine), compared(its)))
                    return ValuePages.Of(part, Earlier(mine, its), mine is null ? [] : compared(mine));
            }

            if (one.Count < page)
                return null;
            start = Encoding.ASCII.GetBytes(StreamPlace.Of(one[^1]).Next().ToString());
        }
    }

    private static RespValue? At(IReadOnlyList<RespValue> list, int place) => place < list.Count ? list[place] : null;

    // Of two that stand at one place the earlier is what the other lacks.
    private static byte[] Earlier(RespValue? one, RespValue? other) => Encoding.ASCII.GetBytes(
        one is null ? StreamPlace.Of(other!).ToString()
        : other is null || StreamPlace.Of(one).CompareTo(StreamPlace.Of(other)) <= 0 ? StreamPlace.Of(one).ToString()
        : StreamPlace.Of(other).ToString());

    // Id, consumer, how long ago it was delivered, how often.
    private static RespValue[] Compared(RespValue pending) => [pending.Items[0], pending.Items[1], pending.Items[3]];

    private static Dictionary<string, RespValue> ByName(RespValue groups) => groups.Items.ToDictionary(
        group => Encoding.Latin1.GetString(Required(group, "name").Content),
        group => Required(group, "last-delivered-id"));

    private static RespValue Required(RespValue map, string field) =>
        map.Find(field) ?? throw new Redis.RedisProtocolException($"XINFO says no {field}");
}

/// <summary>An id of a stream.</summary>
internal readonly record struct StreamPlace(ulong Ms, ulong Sequence) : IComparable<StreamPlace>
{
    public static StreamPlace Of(RespValue entry)
    {
        var words = entry.Items[0].Text.Split('-');
        return new(
            ulong.Parse(words[0], CultureInfo.InvariantCulture), ulong.Parse(words[1], CultureInfo.InvariantCulture));
    }

    public StreamPlace Next() => Sequence == ulong.MaxValue ? new(Ms + 1, 0) : this with { Sequence = Sequence + 1 };

    public int CompareTo(StreamPlace other) =>
        Ms != other.Ms ? Ms.CompareTo(other.Ms) : Sequence.CompareTo(other.Sequence);

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Ms}-{Sequence}");
}
