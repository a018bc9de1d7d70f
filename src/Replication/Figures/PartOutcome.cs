using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Figures;

/// <summary>What came to be known of a part: of a destination, or of a shard at one.</summary>
internal sealed record PartOutcome
{
    /// <summary>From where to where; of a shard with its slots.</summary>
    public required string Name { get; init; }

    /// <summary>What became of its keys.</summary>
    public required ReplicationDelay Keys { get; init; }

    /// <summary>What was measured.</summary>
    public required IReadOnlyList<CollectedSeries> Series { get; init; }

    /// <summary>The delays.</summary>
    public required DelayTally Tally { get; init; }

    /// <summary>Keys that were sent.</summary>
    public required long Sent { get; init; }

    /// <summary>Which share of the keys are written for it.</summary>
    public double Share { get; init; } = 1;
}
