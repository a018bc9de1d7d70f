using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Delay.Ends.Places;

namespace RedisLatency.Replication.Delay.Ends;

/// <summary>From where to where keys go: the only way, or that of a shard.</summary>
/// <param name="Shard">Which slots, for people; null where there are no shards.</param>
/// <param name="Prefix">What its keys begin with; in a cluster they all are of one slot by it.</param>
/// <param name="Source">Where they are written.</param>
/// <param name="Destination">Where they are read.</param>
internal sealed record KeyWay(string? Shard, string Prefix, IServerPlace Source, IServerPlace Destination)
{
    /// <summary>The way between two servers.</summary>
    public static KeyWay Between(ResolvedTarget source, ResolvedTarget destination, string prefix) =>
        new(null, prefix, new FixedPlace("source", source), new FixedPlace("destination", destination));
}
