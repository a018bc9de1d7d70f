using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Workloads.Phases;

/// <summary>What thresholds can be set on, and what it came to.</summary>
internal sealed class WorkloadMetrics(
    PhaseSeries series, LatencyHistogram hiccups, RunSummary summary) : IThresholdSource
{
    private const string Rate = "rate";
    private const string Throughput = "throughput";
    private const string Busy = "busy";

    private static readonly IReadOnlyList<KnownMetric> Known =
    [
        new(SeriesNames.Service, MetricKind.Durations),
        new(SeriesNames.Response, MetricKind.Durations),
        new(SeriesNames.Lateness, MetricKind.Durations),
        new(SeriesNames.Hiccups, MetricKind.Durations),
        .. CounterNames.Select(name => new KnownMetric(name, MetricKind.Counter)),
        new(Throughput, MetricKind.Counter),
        new(Rate, MetricKind.Ratio),
        new(Busy, MetricKind.Ratio),
    ];

    private static IReadOnlyList<string> CounterNames =>
    [
        "asked", "sent", "unsent", "completed", "hits", "misses", "errors", "timed-out", "lost", "retried",
        "mismatched",
    ];

    /// <summary>What is wrong with a threshold, or null; asked before it is known which operations there are.</summary>
    public static string? Problem(Threshold threshold) => OperationOf(threshold.Metric) is null
        ? threshold.Validate(Known)
        : threshold.Validate([new KnownMetric(threshold.Metric, MetricKind.Durations)]);

    /// <summary>What is wrong with a threshold where these are the operations, or null.</summary>
    public static string? Problem(Threshold threshold, IReadOnlyCollection<string> operations) =>
        OperationOf(threshold.Metric) is { } operation && !operations.Contains(operation)
            ? $"--threshold {threshold.Text}: there is no operation {operation} "
                + $"(known: {string.Join(", ", operations)})"
            : null;

    /// <inheritdoc/>
    public ThresholdReading? Find(Threshold threshold)
    {
        if (threshold.Statistic is { } statistic)
            return ThresholdReading.Of(HistogramOf(threshold.Metric), statistic);
        var number = threshold.Metric switch
        {
            Throughput => summary.Rates.Achieved ?? double.NaN,
            Rate => summary.Rates is { Asked: { } asked, Achieved: { } achieved } ? achieved / asked : double.NaN,
            Busy => summary.Workload?.Engine.BusyShare ?? double.NaN,
            _ => CounterOf(threshold.Metric),
        };
        var isShare = threshold.Unit == ThresholdUnit.Share && CounterNames.Contains(threshold.Metric);
        return new ThresholdReading(isShare ? number / (summary.Counts.Asked ?? 0) : number);
    }

    // A closed loop has no schedule: there the response time is the service time.
    private LatencyHistogram HistogramOf(string metric)
    {
        if (metric == SeriesNames.Hiccups)
            return hiccups;
        var all = series.All().ToDictionary(known => known.Name, known => known.Series.Total);
        var service = metric.Replace(SeriesNames.Response, SeriesNames.Service, StringComparison.Ordinal);
        return all.GetValueOrDefault(metric) ?? all.GetValueOrDefault(service) ?? LatencyHistogram.ForLatency();
    }

    private double CounterOf(string metric) => metric switch
    {
        "asked" => summary.Counts.Asked ?? double.NaN,
        "sent" => summary.Counts.Sent ?? double.NaN,
        "unsent" => summary.Counts.Unsent ?? double.NaN,
        "completed" => Sum(operation => operation.Completed),
        "hits" => Sum(operation => operation.Hits),
        "misses" => Sum(operation => operation.Misses),
        "errors" => Sum(operation => operation.Errors),
        "timed-out" => Sum(operation => operation.TimedOut),
        "lost" => Sum(operation => operation.Lost),
        "retried" => Sum(operation => operation.Retried),
        _ => Sum(operation => operation.Mismatched),
    };

    private double Sum(Func<OperationResult, long> count) => summary.Workload?.Operations.Sum(count) ?? double.NaN;

    private static string? OperationOf(string metric)
    {
        foreach (var suffix in (string[])[$"-{SeriesNames.Service}", $"-{SeriesNames.Response}"])
        {
            if (metric.EndsWith(suffix, StringComparison.Ordinal))
                return metric[..^suffix.Length];
        }

        return null;
    }
}
