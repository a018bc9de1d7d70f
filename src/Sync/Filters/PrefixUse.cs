namespace RedisLatency.Sync.Filters;

// Which keys of the target may be several of the source: under one prefix by several ways.
internal sealed class PrefixUse
{
    private readonly HashSet<(PrefixChange To, PrefixChange? By)> _ways = [];

    public void Count(ReadOnlySpan<byte> key, PrefixChange? by, IReadOnlyList<PrefixChange> all)
    {
        foreach (var change in all)
        {
            if (key.StartsWith(change.To))
                _ways.Add((change, by));
        }
    }

    public static IEnumerable<PrefixChange> Shared(IEnumerable<PrefixUse> shards) => shards
        .SelectMany(one => one._ways).Distinct().GroupBy(way => way.To)
        .Where(ways => ways.Count() > 1 && ways.Any(way => way.By == way.To)).Select(ways => ways.Key);
}
