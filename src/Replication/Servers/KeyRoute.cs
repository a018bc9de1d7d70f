namespace RedisLatency.Replication.Servers;

internal sealed record KeyRoute(string? Shard, string Prefix, IServerLocator Source, IServerLocator Destination)
{
    public int Stream { get; init; }
    public int DestinationNumber { get; init; }

    // What is written: every destination reads the same.
    public static IReadOnlyList<(string Prefix, IServerLocator Place)> StreamsOf(IEnumerable<KeyRoute> ways) =>
        [.. ways.DistinctBy(way => way.Stream).OrderBy(way => way.Stream).Select(way => (way.Prefix, way.Source))];
}
