using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync;

internal static class SyncMetrics
{
    public static readonly Metric Lag = new(
        Measured.Lag, MetricKind.Durations, "From receiving at the source to the target's answer.")
    {
        Column = LiveColumn.Latency,
    };

    private static readonly IReadOnlyList<(Metric Metric, Func<SyncCounts, double> Count)> Counters =
    [
        (Counted.Read.As("Keys and commands that the source gave.", LiveColumn.Sent), counts => counts.Read),
        (Counted.Written.As("Keys and commands that the target has.", LiveColumn.Returned), counts => counts.Written),
        (Counted.Keys.As("Keys restored at the target."), counts => counts.Keys),
        (Counted.Commands.As("Commands carried out by the target."), counts => counts.Commands),
        (Counted.Filtered.As("Left out by filters, or by the function."), counts => counts.Filtered),
        (Counted.Skipped.As("There already, or not to be carried over.", LiveColumn.Errors),
            counts => counts.Skipped),
        (Counted.Rebuilt.As("Keys built by commands, because the target refused to restore them."),
            counts => counts.Rebuilt),
        (Counted.Bytes.As("Bytes of requests that the target has carried out."), counts => counts.Bytes),
    ];

    // The record alone has them.
    private static readonly IReadOnlyList<(Metric Metric, Func<SyncCounts, double> Count)> Cuts =
        [(Counted.Cut, counts => counts.Cut), (Counted.TransactionsCut, counts => counts.TransactionsCut)];

    private static readonly IReadOnlyList<Metric> Known =
        [Lag, Metric.Hiccups, .. Counters.Select(one => one.Metric)];

    public static string? Problem(Threshold threshold) => threshold.Validate(Known);

    public static MetricSet Of(IReadOnlyList<SyncShard> shards, IReadOnlyList<LatencyRecorder> lags)
    {
        var set = new MetricSet();
        set.Add(new MetricSeries(Lag, lags));
        foreach (var (metric, count) in Counters)
            set.Add(metric, () => Sum(shards, count), () => Sum(shards, counts => counts.Read));
        return set;
    }

    /// <summary>The same of one shard of several, for telemetry.</summary>
    public static MetricSet OfShard(SyncShard shard)
    {
        var set = new MetricSet(string.Empty, [new("shard", shard.Reader.Name)]);
        foreach (var (metric, count) in Counters)
            set.Add(metric, () => count(shard.Counts));
        return set;
    }

    /// <summary>The numbers of some shards, as the record has them.</summary>
    public static IReadOnlyList<RecordedMetric> Recorded(IReadOnlyList<SyncShard> shards) =>
    [
        .. Counters.Concat(Cuts).Select(one => RecordedMetric.Of(one.Metric, Sum(shards, one.Count))),
    ];

    private static double Sum(IReadOnlyList<SyncShard> shards, Func<SyncCounts, double> count)
    {
        var sum = 0.0;
        for (var i = 0; i < shards.Count; i++)
            sum += count(shards[i].Counts);
        return sum;
    }
}
