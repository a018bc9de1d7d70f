using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Series of classic buckets: the text format has no native ones. A negative value would make <c>_sum</c> go back,
/// which Prometheus takes for a restart: those are in a family of their own, with their sign turned, that is there once
/// there is one.
/// </summary>
internal sealed class HistogramFamily(string name, string negativeName, string help, IReadOnlyList<double> bounds)
    : MetricFamily(name, "histogram", help)
{
    private readonly SortedDictionary<string, BucketCounts> _series = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, BucketCounts> _negatives = new(StringComparer.Ordinal);

    protected override bool IsEmpty => _series.Count + _negatives.Count == 0;

    public override void Note(string labels, double value)
    {
        var series = value < 0 ? _negatives : _series;
        if (!series.TryGetValue(labels, out var counts))
            series.Add(labels, counts = new BucketCounts(bounds));
        counts.Add(Math.Abs(value));
    }

    protected override void WriteSeries(StringBuilder text)
    {
        Write(text, Name, _series);
        if (_negatives.Count == 0)
            return;
        MetricText.WriteHead(text, negativeName, "histogram", $"The negative ones of {Name}, with their sign turned.");
        Write(text, negativeName, _negatives);
    }

    private static void Write(StringBuilder text, string family, SortedDictionary<string, BucketCounts> series)
    {
        foreach (var (labels, counts) in series)
            MetricText.WriteHistogram(text, family, labels, counts);
    }
}
