using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Monitoring;

/// <summary>What is served of heartbeats: a set for each way, one for all, and one for each kind of event.</summary>
internal static class HeartbeatTelemetry
{
    private static readonly Metric ClockError = new(
        "clock-error", MetricKind.Duration,
        "How far ages may be off, and delays at most, because the clocks of writer and reader are compared over a "
            + "network.");

    public static IEnumerable<MetricSet> Of(HeartbeatSession session, HeartbeatSide side, AlertBoard alerts)
    {
        foreach (var way in session.Ways)
        {
            var set = SetOf(side, way.Shard);
            if (side.Reads)
            {
                set.Add(DelayMetrics.Delay, way.Delays.FromSent.Upper);
                set.Add(HeartbeatMetrics.Age, () => way.Beats.Count().AgeNs);
            }

            HeartbeatMetrics.AddCounts(set, way.Beats.Count, OutcomesOf(side));
            yield return set;
        }

        var all = SetOf(side);
        if (side is { Reads: true, Writes: false })
            all.Add(ClockError, () => session.NowErrorNs);
        foreach (var state in alerts.States)
            all.Add(AlertOf(state.Threshold.Text), () => state.IsRaised ? 1 : 0);
        yield return all;
    }

    public static MetricSet Of(HeartbeatSide side, string kind, Func<double?> count)
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

    private static IEnumerable<Metric> OutcomesOf(HeartbeatSide side) => (side.Reads, side.Writes) switch
    {
        (true, true) =>
        [HeartbeatMetrics.Seen, HeartbeatMetrics.Skipped, HeartbeatMetrics.Refused, HeartbeatMetrics.Unsent],
        (true, _) => [HeartbeatMetrics.Seen, HeartbeatMetrics.Skipped, HeartbeatMetrics.Unsent],
        _ => [HeartbeatMetrics.Written, HeartbeatMetrics.Refused, HeartbeatMetrics.Unsent],
    };

    private static Metric AlertOf(string threshold) =>
        new("alert", MetricKind.Gauge, "1 while the threshold does not hold, 0 while it does.")
        {
            Labels = [new("threshold", threshold)],
        };

    private static MetricSet SetOf(HeartbeatSide side, string? shard = null) => new(
        mark: "",
        new("source", side.Ends.SourceRegion ?? side.Ends.Source),
        new("destination", side.Ends.DestinationRegion ?? side.Ends.Destination),
        new("shard", shard));
}

internal sealed class HeartbeatHealth(HeartbeatSession session, HeartbeatSide side, AlertBoard alerts)
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
            var silence = session.Count().SilenceNs;
            return silence > Math.Max(LeastSilenceNs, MissedBeats * session.Schedule.IntervalNs)
                ? string.Join("; ", new[]
                {
                    $"no heartbeat came for {Quantity.Duration(silence)}", side.HealthProblem,
                }.OfType<string>())
                : null;
        }
    }
}
