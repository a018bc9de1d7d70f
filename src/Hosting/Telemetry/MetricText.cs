using System.Globalization;
using System.Text;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).</summary>
internal static class MetricText
{
    // In seconds, from 25 µs: those that OpenTelemetry advises for databases begin at 1 ms, which a Redis nearby never
    // comes to.
    private static readonly double[] Bounds =
    [
        25e-6, 50e-6, 75e-6, 1e-4, 1.5e-4, 2e-4, 3e-4, 5e-4, 7.5e-4, 1e-3, 1.5e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2.5e-2,
        5e-2, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, double.PositiveInfinity,
    ];

    /// <summary>
    /// The name as Prometheus has it, made of that of OpenTelemetry: underscores for dots, the unit at the end, and
    /// counters end in <c>_total</c>
    /// (https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/).
    /// </summary>
    public static string NameOf(string name, string? unit, bool isCounter)
    {
        var suffix = unit switch
        {
            "s" => "_seconds",
            "By" => "_bytes",
            "1" when !isCounter => "_ratio",
            _ => string.Empty,
        };
        var cleaned = Cleaned(name);
        var isNamedByUnit = cleaned.EndsWith(suffix, StringComparison.Ordinal);
        return cleaned + (isNamedByUnit ? string.Empty : suffix) + (isCounter ? "_total" : string.Empty);
    }

    /// <summary>
    /// Labels without their braces, <c>source="a",shard="b"</c>; those without a value are left out, which means the
    /// same.
    /// </summary>
    public static string LabelsOf(IEnumerable<KeyValuePair<string, object?>> tags) => string.Join(',', tags
        .Select(tag => (tag.Key, Value: Convert.ToString(tag.Value, CultureInfo.InvariantCulture)))
        .Where(tag => tag.Value is { Length: > 0 })
        .Select(tag => $"{Cleaned(tag.Key)}=\"{Quoted(tag.Value!)}\""));

    public static void WriteHead(StringBuilder text, string name, string type, string help) => text
        .Append("# HELP ").Append(name).Append(' ').Append(Escaped(help)).Append('\n')
        .Append("# TYPE ").Append(name).Append(' ').Append(type).Append('\n');

    public static void WriteSample(StringBuilder text, string name, string labels, double value)
    {
        text.Append(name);
        if (labels.Length > 0)
            text.Append('{').Append(labels).Append('}');
        text.Append(' ').Append(Number(value)).Append('\n');
    }

    /// <summary>
    /// Values are as exact as the histogram's: three digits, taken as the highest of its equivalents. What is out of
    /// its range is counted as its end: below it is what two clocks made negative. What never got a value is slower
    /// than all bounds, and in no sum.
    /// </summary>
    public static void WriteHistogram(StringBuilder text, string name, string labels, LatencyHistogram histogram)
    {
        var counts = new long[Bounds.Length];
        var sum = 0.0;
        foreach (var recorded in histogram.RecordedValues)
            Add(recorded.Highest / 1e9, recorded.Count);
        Add(0, histogram.BelowRange);
        Add(histogram.HighestTrackable / 1e9, histogram.AboveRange);
        counts[^1] += histogram.Missing;

        var more = labels.Length > 0 ? labels + "," : string.Empty;
        long upTo = 0;
        foreach (var (bound, count) in Bounds.Zip(counts))
        {
            upTo += count;
            WriteSample(text, name + "_bucket", $"{more}le=\"{Number(bound)}\"", upTo);
        }

        WriteSample(text, name + "_sum", labels, sum);
        WriteSample(text, name + "_count", labels, upTo);

        void Add(double value, long count)
        {
            counts[Array.FindIndex(Bounds, bound => value <= bound)] += count;
            sum += value * count;
        }
    }

    private static string Number(double value) => value switch
    {
        double.PositiveInfinity => "+Inf",
        double.NegativeInfinity => "-Inf",
        double.NaN => "NaN",
        _ => value.ToString("R", CultureInfo.InvariantCulture),
    };

    private static string Cleaned(string name) =>
        string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '_' ? c : '_'));

    private static string Quoted(string label) => Escaped(label).Replace("\"", "\\\"", StringComparison.Ordinal);

    private static string Escaped(string text) => text
        .Replace("\\", "\\\\", StringComparison.Ordinal)
        .Replace("\n", "\\n", StringComparison.Ordinal);
}
