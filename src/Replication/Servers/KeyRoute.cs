namespace RedisLatency.Replication.Servers;

/// <summary>Where the keys of a shard are written, and where they are read.</summary>
internal sealed record KeyRoute(string? Shard, string Prefix, IServerLocator Source, IServerLocator Destination)
{
    public int Stream { get; init; }
    public int DestinationNumber { get; init; }

    public static IReadOnlyList<KeyStream> StreamsOf(IEnumerable<KeyRoute> routes) =>
    [
        .. routes.DistinctBy(route => route.Stream).OrderBy(route => route.Stream)
            .Select(route => new KeyStream(route.Shard, route.Prefix, route.Source)),
    ];
}
