using System.Globalization;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Reports.Output;

/// <summary>
/// A percentile distribution as HdrHistogram's <c>outputPercentileDistribution</c> (2.1.12) prints it (.hgrm), in
/// microseconds.
/// </summary>
public static class PercentileDistribution
{
    private const int StepsPerHalfDistance = 5;

    public static void Write(LatencyHistogram values, TextWriter writer)
    {
        writer.WriteLine("       Value     Percentile TotalCount 1/(1-Percentile)");
        writer.WriteLine();
        foreach (var step in values.Percentiles(StepsPerHalfDistance))
        {
            var share = step.Percentile / 100;
            Line($"{step.Value / 1e3,12:F3} {share:F12} {step.CumulativeCount,10}{Distance(share)}");
        }

        Line($"#[Mean    = {values.Mean / 1e3,12:F3}, StdDeviation   = {values.StandardDeviation / 1e3,12:F3}]");
        Line($"#[Max     = {values.Max / 1e3,12:F3}, Total count    = {values.TotalCount,12}]");

        void Line(FormattableString line) => writer.WriteLine(line.ToString(CultureInfo.InvariantCulture));
    }

    // The last line has none.
    private static string Distance(double share) =>
        share < 1 ? string.Create(CultureInfo.InvariantCulture, $" {1 / (1 - share),14:F2}") : string.Empty;
}
