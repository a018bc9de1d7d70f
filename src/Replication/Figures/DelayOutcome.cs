using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Figures;

internal sealed record DelayOutcome
{
    public required ReplicationDelay Keys { get; init; }
    public IReadOnlyList<PartOutcome> Destinations { get; init; } = [];
    public IReadOnlyList<PartOutcome> Shards { get; init; } = [];
    public required IReadOnlyList<CollectedSeries> Series { get; init; }
    public DelayTally? Tally { get; init; }
    public required long Sent { get; init; }
    public required double Rate { get; init; }
    public required long DurationNs { get; init; }
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }
    public required SessionEvents Events { get; init; }
    public required IReadOnlyList<string> Faults { get; init; }
    public required IReadOnlyList<string> Notes { get; init; }
}

internal sealed record PartOutcome
{
    public required string Name { get; init; }
    public required ReplicationDelay Keys { get; init; }
    public required IReadOnlyList<CollectedSeries> Series { get; init; }
    public required DelayTally Tally { get; init; }
    public required long Sent { get; init; }
    public double Share { get; init; } = 1;
}
