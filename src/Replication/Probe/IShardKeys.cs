namespace RedisLatency.Replication.Probe;

/// <summary>The keys of a shard: where they are from, how they are named, and what became of them.</summary>
internal interface IShardKeys : IKeyRegister
{
    string? Shard { get; }
    string Source { get; }
    string Prefix { get; }
    ulong Session { get; }
    double IntervalNs { get; }

    bool AreWrittenElsewhere { get; }
    DelayTally Tally { get; }
    KeyCounts Counts { get; }

    // How many of the keys that are missing are not at the source either; null where unknown.
    long? MissingAtSource { get; }
}
