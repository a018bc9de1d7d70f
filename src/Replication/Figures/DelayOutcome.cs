using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Figures;

/// <summary>What a process came to know, whichever side of a replication it played.</summary>
internal sealed record DelayOutcome
{
    /// <summary>What became of the keys.</summary>
    public required ReplicationDelay Keys { get; init; }

    /// <summary>The same at each destination; none where there is one only.</summary>
    public IReadOnlyList<PartOutcome> Destinations { get; init; } = [];

    /// <summary>The same by shards; none where there are none.</summary>
    public IReadOnlyList<PartOutcome> Shards { get; init; } = [];

    /// <summary>What was measured.</summary>
    public required IReadOnlyList<CollectedSeries> Series { get; init; }

    /// <summary>The delays; null where another process reads.</summary>
    public DelayTally? Tally { get; init; }

    /// <summary>Keys that were sent, as far as this process knows.</summary>
    public required long Sent { get; init; }

    /// <summary>The rate that was asked for, in keys per second.</summary>
    public required double Rate { get; init; }

    /// <summary>How long they were written, in nanoseconds.</summary>
    public required long DurationNs { get; init; }

    /// <summary>The servers.</summary>
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }

    /// <summary>What happened on the way.</summary>
    public required SessionEvents Events { get; init; }

    /// <summary>Why the figures may not be relied on; empty where they may.</summary>
    public required IReadOnlyList<string> Faults { get; init; }

    /// <summary>What to keep in mind although they may be.</summary>
    public required IReadOnlyList<string> Notes { get; init; }
}
