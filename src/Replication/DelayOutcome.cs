using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
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
        part.Name, part.Keys, part.Metrics.Series, DurationNs, DurationNs, Rate * part.Share, plan.Options.ValueSize);
}

internal sealed record PartOutcome(string Name, ReplicationDelay Keys, MetricSet Metrics)
{
    // Which share of the keys are written for it.
    public double Share { get; init; } = 1;
}

internal static class DelaySummary
{
    public static RunSummary Of(
        string name, ReplicationDelay keys, IEnumerable<MetricSeries> measured, long durationNs, long writingNs,
        double rate, long valueSize)
    {
        var sent = keys.Asked - keys.Unsent;
        // The last key has its share of the time as well, which ends when it has left.
        var achieved = Math.Min(sent * 1e9 / keys.Destinations / writingNs, rate);
        return new RunSummary
        {
            Name = name,
            DurationNs = durationNs,
            Counts = new MessageCounts
            {
                Asked = keys.Asked,
                Sent = sent,
                Unsent = keys.Unsent,
                Received = keys.Read,
                Lost = keys.Heartbeat is null ? keys.Missing : null,
                Wrong = keys.Heartbeat is null ? keys.Overwritten : null,
            },
            Rates = new MessageRates { Asked = rate, Achieved = achieved, Bytes = achieved * valueSize },
            Latencies = DelayRows.Of(measured),
            Delay = keys,
        };
    }
}

internal sealed class KeyAccount(string source, IReadOnlyList<DestinationReading> destinations, DelayOptions options)
{
    // What only one of the runs knows, of those of the keys that these are.
    public required Func<ReplicationDelay, IEnumerable<KeyReading>, ReplicationDelay> Complete { get; init; }

    public ReplicationDelay Whole() => destinations.Count == 1
        ? Of(destinations[0])
        : Of(
            source, string.Join(", ", destinations.Select(one => one.Destination.Target.Name)), null, destinations,
            [.. destinations.SelectMany(one => one.Shards)]);

    public IReadOnlyList<PartOutcome> Destinations() => destinations.Count == 1
        ? []
        :
        [
            .. destinations.Select(one => new PartOutcome(
                $"{source} to {one.Destination.Target.Name}", Of(one), one.Metrics)),
        ];

    public IReadOnlyList<PartOutcome> Shards() =>
    [
        .. destinations.SelectMany(
            at => at.Shards.Where(one => one.Keys.Shard is not null).Select(one => PartOf(one, at))),
    ];

    // Counts every key without a delay as slower than all others, in each series that it should be in.
    public void CountMissing(DelayTally all)
    {
        foreach (var destination in destinations)
        {
            foreach (var shard in destination.Shards)
                shard.Keys.Tally.CountMissing(shard.Keys.Counts.Asked);
            if (destination.Shards.Count > 1)
                destination.Tally.CountMissing(destination.Counts.Asked);
        }

        if (destinations.Count > 1)
            all.CountMissing(destinations.Sum(one => one.Counts.Asked));
    }

    public IEnumerable<string> Faults() => destinations.SelectMany(
        one => Named(one, DelayVerdict.ReadingFaults(Of(one))));

    public IEnumerable<string> Notes() => destinations.SelectMany(one => Named(
        one,
        DelayVerdict.ReadingNotes(
            Of(one), one.Uncertainty.Total, MissingAtSource(one.Shards))));

    // Null where it is not known of all.
    private static long? MissingAtSource(IEnumerable<KeyReading> readings)
    {
        var counts = readings.Select(one => one.Keys.MissingAtSource).ToList();
        return counts.Contains(null) ? null : counts.Sum();
    }

    private IEnumerable<string> Named(DestinationReading one, IEnumerable<string> texts) =>
        destinations.Count == 1 ? texts : texts.Select(text => $"{one.Destination.Name}: {text}");

    private PartOutcome PartOf(KeyReading one, DestinationReading at)
    {
        var keys = Of(one.Keys.Source, one.Destination.Target.Name, at.Destination.Region, [at], [one]);
        return new PartOutcome($"{one.Keys.Shard}: {keys.Source} to {keys.Destination}", keys, one.Metrics)
        {
            Share = 1.0 / at.Shards.Count,
        };
    }

    private ReplicationDelay Of(DestinationReading one) => Of(
        source, one.Destination.Target.Name, one.Destination.Region, [one], one.Shards);

    private ReplicationDelay Of(
        string from, string to, string? region, IReadOnlyList<DestinationReading> at,
        IReadOnlyList<KeyReading> readings)
    {
        var keys = new ReplicationDelay
        {
            Source = from,
            Destination = to,
            Destinations = at.Count,
            DestinationRegion = region,
            Reading = "polling",
            Clocks = DelayVerdict.OneClock,
            DeadlineNs = options.Deadline.InNanoseconds,
            Asked = 0,
            MissingAtSource = MissingAtSource(readings) ?? 0,
            Polls = readings.Sum(one => one.Reader.Polls),
            PollBytes = readings.Sum(one => one.Destination.Bytes),
        };
        var counts = KeyCounts.Sum(readings, one => one.Keys.Counts);
        return Complete(counts.In(keys), readings);
    }
}
