using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Monitoring;

/// <summary>What is served of heartbeats: a set for each shard, one for all, and one for each kind of event.</summary>
internal static class HeartbeatTelemetry
{
    private static readonly Metric ClockError = new(
        Measured.ClockError, MetricKind.Duration,
        "How far ages may be off, and delays at most, because the clocks of writer and reader are compared over a "
            + "network.");

    public static IEnumerable<MetricSet> Of(HeartbeatSession session, ProbeSide side, WindowAlerts alerts)
    {
        foreach (var beats in session.Beats)
        {
            var set = SetOf(side, beats.Shard);
            if (side.Reads)
            {
                set.Add(DelayMetrics.Delay, beats.Tally.FromSent.Upper);
                set.Add(DelayMetrics.Age, () => beats.Counts.AgeNs);
            }

            DelayMetrics.AddBeats(set, () => beats.Counts, OutcomesOf(side));
            yield return set;
        }

        var all = SetOf(side);
        if (side is { Reads: true, Writes: false })
            all.Add(ClockError, () => side.NowErrorNs);
        foreach (var state in alerts.States)
            all.Add(AlertOf(state.Threshold.Text), () => state.IsRaised ? 1 : 0);
        yield return all;
    }

    public static MetricSet Of(ProbeSide side, string kind, Func<double?> count)
    {
        var set = SetOf(side);
        set.Add(
            new("events", MetricKind.Counter, "What happened to the servers, their connections and the thresholds.")
            {
                Labels = [new("kind", kind)],
            },
            count);
        return set;
    }

    private static IEnumerable<Metric> OutcomesOf(ProbeSide side) => (side.Reads, side.Writes) switch
    {
        (true, true) =>
        [DelayMetrics.BeatsSeen, DelayMetrics.BeatsSkipped, DelayMetrics.BeatsRefused, DelayMetrics.BeatsUnsent],
        (true, _) => [DelayMetrics.BeatsSeen, DelayMetrics.BeatsSkipped, DelayMetrics.BeatsUnsent],
        _ => [DelayMetrics.BeatsWritten, DelayMetrics.BeatsRefused, DelayMetrics.BeatsUnsent],
    };

    private static Metric AlertOf(string threshold) =>
        new("alert", MetricKind.Gauge, "1 while the threshold does not hold, 0 while it does.")
        {
            Labels = [new("threshold", threshold)],
        };

    private static MetricSet SetOf(ProbeSide side, string? shard = null) => new(
        mark: "",
        new("source", side.Ends.SourceRegion ?? side.Ends.Source),
        new("destination", side.Ends.DestinationRegion ?? side.Ends.Destination),
        new("shard", shard));
}

/// <summary>Why the health page of a continuous run says that it is not well.</summary>
internal sealed class HeartbeatHealth(HeartbeatSession session, ProbeSide side, WindowAlerts alerts)
{
    // However long they take: none for so long means that none come.
    private const long LeastSilenceNs = 5_000_000_000;
    private const int MissedBeats = 10;

    public string? HealthProblem
    {
        get
        {
            if (session.Lost is { } lost)
                return lost;
            if (alerts.Active.FirstOrDefault() is { } threshold)
                return $"{threshold.Text} does not hold";
            var silence = session.Counts.SilenceNs;
            return silence > Math.Max(LeastSilenceNs, MissedBeats * session.Schedule.IntervalNs)
                ? string.Join("; ", new[]
                {
                    $"no heartbeat came for {Quantity.Duration(silence)}", side.HealthProblem,
                }.OfType<string>())
                : null;
        }
    }
}
