using System.Text;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Metric sets as Prometheus reads them. On any thread, while others record: a number only grows, so what is read a
/// moment too early is in the next page.
/// </summary>
/// <param name="service">What precedes names for which OpenTelemetry has none: <c>redislatency.producer</c>.</param>
internal sealed class MetricSetPage(string service)
{
    // In seconds, from 25 µs: those that OpenTelemetry advises for databases begin at 1 ms, which a Redis nearby never
    // comes to.
    private static readonly IReadOnlyList<double> Bounds =
    [
        25e-6, 50e-6, 75e-6, 1e-4, 1.5e-4, 2e-4, 3e-4, 5e-4, 7.5e-4, 1e-3, 1.5e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2.5e-2,
        5e-2, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ];

    private volatile IReadOnlyList<MetricSet> _sets = [];

    /// <summary>Shows a set from now on. One thread adds them.</summary>
    public void Add(MetricSet set) => _sets = [.. _sets, set];

    public string Write()
    {
        var text = new StringBuilder();
        var sets = _sets;
        foreach (var family in sets
            .SelectMany(set => set.Histograms.Select(one => SampleOf(set, one.Metric, one.Total)))
            .GroupBy(sample => sample.Name).OrderBy(family => family.Key, StringComparer.Ordinal))
        {
            MetricText.WriteHead(text, family.Key, "histogram", family.First().Metric.Help);
            foreach (var sample in family.DistinctBy(sample => sample.Labels))
                MetricText.WriteHistogram(text, sample.Name, sample.Labels, CountsOf(sample.Value));
        }

        foreach (var family in sets.SelectMany(set => set.Values.Select(one => SampleOf(set, one.Metric, one.Read())))
            .Where(sample => sample.Value is { } value && double.IsFinite(value))
            .GroupBy(sample => sample.Name).OrderBy(family => family.Key, StringComparer.Ordinal))
        {
            var metric = family.First().Metric;
            MetricText.WriteHead(text, family.Key, IsCounter(metric) ? "counter" : "gauge", metric.Help);
            var scale = metric.Kind == MetricKind.Duration ? 1e-9 : 1;
            foreach (var sample in family.DistinctBy(sample => sample.Labels))
                MetricText.WriteSample(text, sample.Name, sample.Labels, (sample.Value ?? 0) * scale);
        }

        return text.ToString();
    }

    private static bool IsCounter(Metric metric) => metric.Kind == MetricKind.Counter;

    private (string Name, string Labels, Metric Metric, T Value) SampleOf<T>(MetricSet set, Metric metric, T value)
    {
        var unit = metric.Kind switch
        {
            MetricKind.Durations or MetricKind.Duration => "s",
            MetricKind.Ratio => "1",
            _ => null,
        };
        var name = MetricName.Of(metric.Instrument ?? $"{service}.{metric.Name}", unit, IsCounter(metric));
        return (name, LabelText.Of([.. set.Labels, .. metric.Labels]), metric, value);
    }

    // A value is as exact as the histogram's: three digits, taken as the highest of its equivalents. What is out of its
    // range is counted as its end: below it is what two clocks made negative.
    private static BucketCounts CountsOf(LatencyHistogram histogram)
    {
        var counts = new BucketCounts(Bounds);
        foreach (var recorded in histogram.RecordedValues)
            counts.Add(recorded.Highest / 1e9, recorded.Count);
        counts.Add(0, histogram.BelowRange);
        counts.Add(histogram.HighestTrackable / 1e9, histogram.AboveRange);
        return counts;
    }
}
