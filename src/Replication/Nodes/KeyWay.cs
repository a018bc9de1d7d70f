using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Nodes;

internal sealed record KeyWay(string? Shard, string Prefix, IServerPlace Source, IServerPlace Destination)
{
    public int Stream { get; init; }
    public int DestinationNumber { get; init; }

    public static KeyWay Between(
        ResolvedTarget source, ResolvedTarget destination, string prefix, string? label = null) =>
        new(null, prefix, new FixedPlace("source", source), new FixedPlace("destination", destination, label));
}
