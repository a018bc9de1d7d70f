using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>The probes of a shard: where they are from, and what became of them.</summary>
internal interface IShardProbes
{
    string? Shard { get; }
    string Source { get; }
    bool AreWrittenElsewhere { get; }
    DelayTally Tally { get; }
    DelayCounts Counts { get; }

    // How many of the missing are not at the source either; null where unknown.
    long? MissingAtSource { get; }

    // Of these, how many the source never confirmed.
    long? MissingUnconfirmed { get; }

    ProbeReader NewReader(
        ReconnectingPipeline pipeline, DelayOptions options, SessionEvents events, ReplicaGuard? guard);
}
