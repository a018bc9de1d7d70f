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

/// <summary>
/// Names as Prometheus has them, made of those of OpenTelemetry: underscores for dots, the unit at the end, and
/// counters end in <c>_total</c>
/// (https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/).
/// </summary>
internal static class MetricName
{
    /// <summary>Of <c>redislatency.replication.delay</c> and <c>s</c>; a unit in braces is no part of it.</summary>
    public static string Of(string name, string? unit, bool isCounter)
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

    /// <summary>With an underscore for whatever may not be in a name.</summary>
    public static string Cleaned(string name) =>
        string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '_' ? c : '_'));
}

/// <summary>Labels as the text format writes them, without their braces: <c>source="a",shard="b"</c>.</summary>
internal static class LabelText
{
    /// <summary>The tags in their order; those without a value are left out, which means the same.</summary>
    public static string Of(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = new StringBuilder();
        foreach (var (name, value) in tags)
        {
            if (Convert.ToString(value, CultureInfo.InvariantCulture) is not { Length: > 0 } shown)
                continue;
            if (text.Length > 0)
                text.Append(',');
            text.Append(MetricName.Cleaned(name)).Append("=\"").Append(Escaped(shown)).Append('"');
        }

        return text.ToString();
    }

    private static string Escaped(string value) => value
        .Replace("\\", "\\\\", StringComparison.Ordinal)
        .Replace("\"", "\\\"", StringComparison.Ordinal)
        .Replace("\n", "\\n", StringComparison.Ordinal);
}

/// <summary>How many values are at most each bound, ascending and without infinity.</summary>
internal sealed class BucketCounts(IReadOnlyList<double> bounds)
{
    private readonly long[] _counts = new long[bounds.Count + 1];

    public double Sum { get; private set; }

    public long Count { get; private set; }

    /// <summary>Adds a value, not negative, so many times.</summary>
    public void Add(double value, long count = 1)
    {
        var bucket = 0;
        while (bucket < bounds.Count && value > bounds[bucket])
            bucket++;
        _counts[bucket] += count;
        Sum += value * count;
        Count += count;
    }

    /// <summary>The bounds, infinity last, each with how many values are at most that.</summary>
    public IEnumerable<(double Bound, long UpTo)> Cumulative()
    {
        long upTo = 0;
        for (var i = 0; i < _counts.Length; i++)
        {
            upTo += _counts[i];
            yield return (i < bounds.Count ? bounds[i] : double.PositiveInfinity, upTo);
        }
    }
}
