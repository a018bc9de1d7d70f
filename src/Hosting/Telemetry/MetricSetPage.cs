using System.Text;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Metric sets as Prometheus reads them. On any thread, while others record: a number only grows, so what is read a
/// moment too early is in the next page.
/// </summary>
/// <param name="service">What precedes names for which OpenTelemetry has none: <c>redislatency.producer</c>.</param>
internal sealed class MetricSetPage(string service)
{
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
                MetricText.WriteHistogram(text, sample.Name, sample.Labels, sample.Value);
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
        var name = MetricText.NameOf(metric.Instrument ?? $"{service}.{metric.Name}", unit, IsCounter(metric));
        return (name, MetricText.LabelsOf(set.Labels.Concat(metric.Labels)), metric, value);
    }
}
