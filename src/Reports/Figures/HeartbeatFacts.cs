namespace RedisLatency.Reports.Figures;

/// <summary>What only a measurement by heartbeats has: one key a shard, written over and over.</summary>
public sealed record HeartbeatFacts
{
    /// <summary>From one heartbeat of a shard to the next, in nanoseconds.</summary>
    public required long IntervalNs { get; init; }

    /// <summary>How long a window was to be, in nanoseconds.</summary>
    public required long WindowNs { get; init; }

    /// <summary>How many windows there were.</summary>
    public long Windows { get; init; }

    /// <summary>The longest age of the newest heartbeat that had been seen, in nanoseconds.</summary>
    public long LongestAgeNs { get; init; }
}
