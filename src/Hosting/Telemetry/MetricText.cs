using System.Globalization;
using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).</summary>
internal static class MetricText
{
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

    public static void WriteHistogram(StringBuilder text, string name, string labels, BucketCounts counts)
    {
        var more = labels.Length > 0 ? labels + "," : string.Empty;
        foreach (var (bound, upTo) in counts.Cumulative())
            WriteSample(text, name + "_bucket", $"{more}le=\"{Number(bound)}\"", upTo);
        WriteSample(text, name + "_sum", labels, counts.Sum);
        WriteSample(text, name + "_count", labels, counts.Count);
    }

    private static string Number(double value) => value switch
    {
        double.PositiveInfinity => "+Inf",
        double.NegativeInfinity => "-Inf",
        double.NaN => "NaN",
        _ => value.ToString("R", CultureInfo.InvariantCulture),
    };

    private static string Escaped(string help) => help
        .Replace("\\", "\\\\", StringComparison.Ordinal)
        .Replace("\n", "\\n", StringComparison.Ordinal);
}
