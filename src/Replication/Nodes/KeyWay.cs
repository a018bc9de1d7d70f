using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Nodes;

/// <summary>From where to where keys go: the only way, or that of a shard.</summary>
/// <param name="Shard">Which slots, for people; null where there are no shards.</param>
/// <param name="Prefix">What its keys begin with; in a cluster they all are of one slot by it.</param>
/// <param name="Source">Where they are written.</param>
/// <param name="Destination">Where they are read.</param>
internal sealed record KeyWay(string? Shard, string Prefix, IServerPlace Source, IServerPlace Destination)
{
    /// <summary>Which of the streams of keys that are written: 0, or that of a shard.</summary>
    public int Stream { get; init; }

    /// <summary>To which of the destinations it leads.</summary>
    public int DestinationNumber { get; init; }

    /// <summary>The way between two servers.</summary>
    /// <param name="source">Where keys are written.</param>
    /// <param name="destination">Where they are read.</param>
    /// <param name="prefix">What keys begin with.</param>
    /// <param name="label">What the destination is called; null where there is one only.</param>
    public static KeyWay Between(
        ResolvedTarget source, ResolvedTarget destination, string prefix, string? label = null) =>
        new(null, prefix, new FixedPlace("source", source), new FixedPlace("destination", destination, label));
}
