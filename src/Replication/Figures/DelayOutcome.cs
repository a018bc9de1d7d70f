using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Figures;

/// <summary>What a process came to know of keys that are written once each, whichever side it was.</summary>
internal sealed record DelayOutcome
{
    public required ReplicationDelay Keys { get; init; }
    public IReadOnlyList<PartOutcome> Destinations { get; init; } = [];
    public IReadOnlyList<PartOutcome> Shards { get; init; } = [];
    public required IReadOnlyList<CollectedSeries> Series { get; init; }

    // Null where another process reads.
    public DelayTally? Tally { get; init; }
    public required long Sent { get; init; }
    public required double Rate { get; init; }
    public required long DurationNs { get; init; }
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }
    public required SessionEvents Events { get; init; }
    public required IReadOnlyList<string> Faults { get; init; }
    public required IReadOnlyList<string> Notes { get; init; }

    public RunFindings ToFindings(DelayPlan plan, LatencyHistogram hiccups)
    {
        var whole = Summary($"{Keys.Source} to {Keys.Destination}", Keys, Series, Sent, 1, plan);
        return new RunFindings
        {
            Summaries =
            [
                whole,
                .. Destinations.Concat(Shards).Select(part => Summary(
                    part.Name, part.Keys, part.Series, part.Sent, part.Share, plan)),
            ],
            Thresholds = [.. new DelayDemands(this, hiccups).Evaluate(plan.Options.Output.Thresholds)],
            Targets = Targets,
            Events = Events.ToRecord(),
            Faults = Faults,
            Notes = Notes,
            Shown = [.. DelayVerdict.Shown(whole)],
        };
    }

    private RunSummary Summary(
        string name, ReplicationDelay keys, IReadOnlyList<CollectedSeries> series, long sent, double share,
        DelayPlan plan)
    {
        // The last key has its share of the time as well, which ends when it has left.
        var achieved = Math.Min(sent * 1e9 / DurationNs, Rate * share);
        return new RunSummary
        {
            Name = name,
            DurationNs = DurationNs,
            Counts = new MessageCounts
            {
                Asked = keys.Asked,
                Sent = sent * keys.Destinations,
                Unsent = keys.Unsent,
                Received = keys.Read,
                Lost = keys.Missing,
                Wrong = keys.Overwritten,
            },
            Rates = new MessageRates
            {
                Asked = Rate * share,
                Achieved = achieved,
                Bytes = achieved * plan.Options.ValueSize,
            },
            Latencies = DelayRows.Of(series),
            Delay = keys,
        };
    }
}

internal sealed record PartOutcome
{
    public required string Name { get; init; }
    public required ReplicationDelay Keys { get; init; }
    public required IReadOnlyList<CollectedSeries> Series { get; init; }
    public required DelayTally Tally { get; init; }
    public required long Sent { get; init; }

    // Which share of the keys are written for it.
    public double Share { get; init; } = 1;
}
