using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync;

internal static class SyncMetrics
{
    public static readonly Metric Lag = new(
        "lag", MetricKind.Durations, "From receiving at the source to the target's answer.")
    {
        Column = LiveColumn.Latency,
    };

    private static readonly IReadOnlyList<(Metric Metric, Func<SyncCounts, double> Count)> Counters =
    [
        (Counter("read", "Keys and commands that the source gave.", LiveColumn.Sent), counts => counts.Read),
        (Counter("written", "Keys and commands that the target has.", LiveColumn.Returned), counts => counts.Written),
        (Counter("keys", "Keys restored at the target."), counts => counts.Keys),
        (Counter("commands", "Commands carried out by the target."), counts => counts.Commands),
        (Counter("filtered", "Left out by filters, or by the function."), counts => counts.Filtered),
        (Counter("skipped", "There already, or not to be carried over.", LiveColumn.Errors), counts => counts.Skipped),
        (Counter("rebuilt", "Keys built by commands, because the target refused to restore them."),
            counts => counts.Rebuilt),
        (Counter("bytes", "Bytes of requests that the target has carried out."), counts => counts.Bytes),
    ];

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

    private static double Sum(IReadOnlyList<SyncShard> shards, Func<SyncCounts, double> count)
    {
        var sum = 0.0;
        for (var i = 0; i < shards.Count; i++)
            sum += count(shards[i].Counts);
        return sum;
    }

    private static Metric Counter(string name, string help, LiveColumn column = LiveColumn.None) =>
        new(name, MetricKind.Counter, help) { Column = column };
}
