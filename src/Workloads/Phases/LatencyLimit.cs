using System.Text.RegularExpressions;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Workloads.Phases;

/// <summary>What a rate is to be held under: a percentile of a series below a time.</summary>
internal sealed partial record LatencyLimit(Threshold Threshold, double Percentile)
{
    private const string Form =
        "a percentile below a time is needed, for instance 'p99<1ms' or 'get-response.p99.9<5ms'";

    public string Series => Threshold.Metric;

    public double Nanoseconds => Threshold.Limit;

    public string Text => Threshold.Text;

    public static ValueSyntax<LatencyLimit?> Create() => new("EXPRESSION", Read, limit => limit?.Text);

    /// <summary>Reads <c>response.p99&lt;1ms</c>, or <c>p99&lt;1ms</c> for it.</summary>
    private static ValueReading<LatencyLimit?> Read(string text)
    {
        if (!text.Contains('<'))
            return ValueReading.Wrong<LatencyLimit?>(Form);
        var whole = PercentileAlone().IsMatch(text) ? $"{WorkloadMetrics.Response.Name}.{text.Trim()}" : text;
        var reading = ThresholdSyntax.Read(whole, $"'{WorkloadMetrics.Response.Name}.p99<1ms'");
        if (reading.Problem is { } problem)
            return ValueReading.Wrong<LatencyLimit?>(problem);
        if (reading.Value is not
            {
                Statistic.Percentile: { } percentile,
                Unit: ThresholdUnit.Nanoseconds,
                Comparison: ThresholdComparison.Less or ThresholdComparison.LessOrEqual,
                Limit: > 0,
            } threshold)
        {
            return ValueReading.Wrong<LatencyLimit?>(Form);
        }

        return WorkloadMetrics.SeriesProblem(threshold) is { } unknown
            ? ValueReading.Wrong<LatencyLimit?>(unknown)
            : ValueReading.Of<LatencyLimit?>(new LatencyLimit(threshold, percentile));
    }

    [GeneratedRegex(@"^\s*p[0-9.]+\s*<", RegexOptions.CultureInvariant)]
    private static partial Regex PercentileAlone();
}
