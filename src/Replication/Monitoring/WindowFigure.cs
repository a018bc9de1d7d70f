using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Monitoring;

/// <summary>A figure of a window, in nanoseconds; all null where there is nothing to tell it by.</summary>
internal readonly record struct WindowFigure(double? Least, double? Value, double? Most)
{
    public static WindowFigure Percentile(WindowDelays delays, double percentile)
    {
        var row = DelayInterval.Percentile(delays.Least, delays.Middle, delays.Most, percentile);
        return row.Unknown switch
        {
            UnknownPercentile.TooFewSamples => default,
            UnknownPercentile.MissingSamples => AtLeast(
                PercentileRow.Of(delays.Least, percentile).Value ?? MaxOf(delays.Least)),
            UnknownPercentile.WideInterval => new WindowFigure(
                PercentileRow.Of(delays.Least, percentile).Value, null,
                PercentileRow.Of(delays.Most, percentile).Value),
            _ => new WindowFigure(row.Value, row.Value, row.Value),
        };
    }

    public static WindowFigure Mean(WindowDelays delays) => Of(delays, histogram => histogram.Mean);

    public static WindowFigure Max(WindowDelays delays) => Of(delays, histogram => histogram.Max);

    public static WindowFigure AtLeast(double? least) => new(least, null, null);

    public static WindowFigure Between(double least, double middle, double most) =>
        new(least, DelayInterval.IsWide(least, most) ? null : middle, most);

    private static WindowFigure Of(WindowDelays delays, Func<LatencyHistogram, double> statistic)
    {
        if (delays.Middle.Beyond > 0)
            return AtLeast(delays.Least.TotalCount == 0 ? null : statistic(delays.Least));
        if (delays.Middle.TotalCount == 0)
            return default;
        return Between(statistic(delays.Least), statistic(delays.Middle), statistic(delays.Most));
    }

    private static double? MaxOf(LatencyHistogram histogram) => histogram.TotalCount == 0 ? null : histogram.Max;
}
