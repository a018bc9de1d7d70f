using System.Globalization;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Encodings;

/// <summary>
/// Writes a histogram as an <c>.hgrm</c> file, the text that HdrHistogram's plotter reads; the same as
/// <c>outputPercentileDistribution</c> of the Java HdrHistogram 2.1.12 prints, with LF.
/// </summary>
public static class PercentileDistributionWriter
{
    /// <summary>Writes it.</summary>
    /// <param name="histogram">What was recorded.</param>
    /// <param name="writer">Takes the text.</param>
    /// <param name="valueScale">Values are divided by this: 1,000,000 prints nanoseconds as milliseconds.</param>
    /// <param name="ticksPerHalfDistance">Lines per halving of the distance to 100 %.</param>
    public static void Write(
        LatencyHistogram histogram, TextWriter writer, double valueScale, int ticksPerHalfDistance = 5)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(valueScale);
        var digits = histogram.SignificantDigits;
        ref readonly var layout = ref histogram.Layout;
        string Scaled(double value) => Fixed(value / valueScale, digits, 12);

        writer.Write($"{"Value",12} {"Percentile",14} {"TotalCount",10} {"1/(1-Percentile)",14}\n\n");
        foreach (var step in histogram.Percentiles(ticksPerHalfDistance))
        {
            var share = step.Percentile / 100;
            writer.Write(Scaled(step.Value));
            writer.Write(string.Create(
                CultureInfo.InvariantCulture, $" {Fixed(share, 12, 2)} {step.CumulativeCount,10}"));
            writer.Write(step.Percentile == 100 ? "\n" : $" {Fixed(1 / (1 - share), 2, 14)}\n");
        }

        writer.Write($"#[Mean    = {Scaled(histogram.Mean)}, ");
        writer.Write($"StdDeviation   = {Scaled(histogram.StandardDeviation)}]\n");
        writer.Write($"#[Max     = {Scaled(histogram.Max)}, ");
        writer.Write(string.Create(CultureInfo.InvariantCulture, $"Total count    = {histogram.TotalCount,12}]\n"));
        writer.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"#[Buckets = {layout.BucketCount,12}, SubBuckets     = {layout.SubBucketCount,12}]\n"));
    }

    // Java rounds the shortest decimal form half up; .NET rounds the exact binary value.
    private static string Fixed(double value, int decimals, int width)
    {
        var shortest = value.ToString("R", CultureInfo.InvariantCulture);
        var text = decimal.TryParse(shortest, NumberStyles.Float, CultureInfo.InvariantCulture, out var exact)
            ? Math.Round(exact, decimals, MidpointRounding.AwayFromZero)
                .ToString($"F{decimals}", CultureInfo.InvariantCulture)
            : value.ToString($"F{decimals}", CultureInfo.InvariantCulture);
        return text.PadLeft(width);
    }
}
