using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication;

internal sealed record DelayOutcome
{
    public required ReplicationDelay Keys { get; init; }
    public IReadOnlyList<PartOutcome> Destinations { get; init; } = [];
    public IReadOnlyList<PartOutcome> Shards { get; init; } = [];
    public required MetricSet Metrics { get; init; }
    public required double Rate { get; init; }
    public required long DurationNs { get; init; }
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }
    public required SessionEvents Events { get; init; }
    public required IReadOnlyList<string> Faults { get; init; }
    public required IReadOnlyList<string> Notes { get; init; }

    public RunFindings ToFindings(DelayPlan plan, RunContext run)
    {
        var whole = Summary(new PartOutcome($"{Keys.Source} to {Keys.Destination}", Keys, Metrics), plan);
        return new RunFindings
        {
            Summaries = [whole, .. Destinations.Concat(Shards).Select(part => Summary(part, plan))],
            Thresholds = run.Parts<MeasuredThreshold>(() => [.. plan.Options.Output.Thresholds.SelectMany(Evaluate)]),
            Targets = Targets,
            Events = run.Parts<RunEvent>(() => Events.ToRecord()),
            Faults = run.Parts<string>(() => [.. DelayVerdict.ClockFaults(), .. Faults]),
            Notes = Notes,
            Shown = run.Parts<ShownPercentiles>(
                () => [.. DelayVerdict.Shown(whole, Metrics.Series, Metrics.Waits)]),
        };
    }

    // One on what was read is held against each destination, or against the one that it names.
    private IEnumerable<MeasuredThreshold> Evaluate(Threshold threshold)
    {
        if (Destinations is [var first, ..])
        {
            if (DelayMetrics.IsOfEachDestination(threshold))
            {
                return Destinations.Where(one => threshold.Scope is null || Is(one.Keys, threshold.Scope.Name))
                    .Select(one => At(one, threshold));
            }

            // What became of a key at the source is the same for each.
            if (first.Metrics.Find(threshold) is { } reading)
                return [RunRecordParts.Threshold(threshold.Evaluate(reading))];
        }

        return [RunRecordParts.Threshold(threshold.Evaluate(Metrics))];
    }

    private static bool Is(ReplicationDelay keys, string name) =>
        name == keys.DestinationRegion || name == keys.Destination;

    private static MeasuredThreshold At(PartOutcome one, Threshold threshold)
    {
        var name = one.Keys.DestinationRegion ?? one.Keys.Destination;
        var result = RunRecordParts.Threshold(threshold.Evaluate(one.Metrics), threshold.Scope is null ? name : null);
        return threshold.Scope is null ? result with { Reason = $"{result.Reason}, at {name}" } : result;
    }

    private RunSummary Summary(PartOutcome part, DelayPlan plan) => DelaySummary.Of(
        part.Name, part.Keys, part.Metrics.Recorded, part.Metrics.Series, DurationNs, DurationNs, Rate * part.Share,
        plan.Options.ValueSize);
}

internal sealed record PartOutcome(string Name, ReplicationDelay Keys, MetricSet Metrics)
{
    // Which share of the keys are written for it.
    public double Share { get; init; } = 1;
}

internal static class DelaySummary
{
    public static RunSummary Of(
        string name, ReplicationDelay keys, IReadOnlyList<RecordedMetric> counts, IEnumerable<MetricSeries> measured,
        long durationNs, long writingNs, double rate, long valueSize)
    {
        // The last key has its share of the time as well, which ends when it has left.
        var achieved = Math.Min((counts.Count(Counted.Sent) ?? 0) * 1e9 / keys.Destinations / writingNs, rate);
        return new RunSummary
        {
            Name = name,
            DurationNs = durationNs,
            Metrics =
            [
                .. counts,
                // By the names that all roles have for them.
                RecordedMetric.Of(Counted.Received, counts.Count(Counted.Read)),
                RecordedMetric.Of(Counted.Lost, counts.Count(Counted.Missing)),
                RecordedMetric.Of(Counted.Wrong, keys.Heartbeat is null ? counts.Count(Counted.Overwritten) : null),
            ],
            Rates = new MessageRates { Asked = rate, Achieved = achieved, Bytes = achieved * valueSize },
            Latencies = DelayRows.Of(measured),
            Delay = keys,
        };
    }
}
