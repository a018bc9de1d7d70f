using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Page;

/// <summary>Percentiles as a curve, each nine as wide as the one before.</summary>
internal static class PercentileCurve
{
    public const string Note =
        "To the right are ever rarer values; lower is faster. A curve ends where "
        + "fewer than ten samples lie above it, or where those begin that have no value.";

    private const int PerNine = 12;
    private const int MostNines = 6;

    /// <summary>The same places for all values, so that curves can be laid over one another.</summary>
    public static IEnumerable<(double X, double? Y)> PointsOf(LatencyHistogram values) =>
        AllOf(values).Select(point => (point.X, point.Y > 0 ? point.Y : null));

    /// <summary>What lies between two series, value by value: the least may be nothing.</summary>
    public static ChartLine BandOf(string name, LatencyHistogram least, LatencyHistogram most) =>
        new(name, [.. AllOf(most)]) { Least = [.. AllOf(least)] };

    private static IEnumerable<(double X, double? Y)> AllOf(LatencyHistogram values)
    {
        for (var step = 1; step <= MostNines * PerNine; step++)
        {
            var percentile = 100 * (1 - Math.Pow(10, -(double)step / PerNine));
            yield return (percentile, PercentileRow.Of(values, percentile).Value);
        }
    }

    /// <summary>A chart as wide as what is known of any line, and as high as those that are seen at first.</summary>
    public static Chart Of(string title, IReadOnlyList<ChartLine> lines, IReadOnlySet<string>? hidden = null)
    {
        hidden ??= new HashSet<string>();
        var most = lines.SelectMany(line => line.Points).Where(point => point.Y is not null).Select(point => point.X)
            .DefaultIfEmpty().Max();
        return new Chart(
            title,
            ChartAxis.Nines(most),
            ChartAxis.Durations(
                lines.Where(line => !hidden.Contains(line.Name)).SelectMany(line => line.Known),
                lines.SelectMany(line => line.Known)),
            [.. lines.Select(line => line with
            {
                Points = [.. line.Points.Where(point => point.X <= most)],
                Least = line.Least?.Where(point => point.X <= most).ToList(),
            })])
        {
            Hidden = hidden,
            XName = "percentile",
            XTitle = "percentile (each nine as wide)",
            YTitle = "latency (log scale)",
            XText = percentile => $"{Quantity.Number(percentile)} %",
            Note = Note,
        };
    }
}
