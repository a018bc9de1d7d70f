using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Windows;

/// <summary>A figure of a window, in nanoseconds; all null where there is nothing to tell it by.</summary>
/// <param name="Least">The least that it can be, where it is not known better.</param>
/// <param name="Value">What it is; null where it is known as a wide interval only, or from below.</param>
/// <param name="Most">The most that it can be; null where a heartbeat could change it that has no delay.</param>
internal readonly record struct WindowFigure(double? Least, double? Value, double? Most)
{
    /// <summary>A percentile; there where ten values lie above it.</summary>
    public static WindowFigure Percentile(WindowDelays delays, double percentile)
    {
        var row = DelayRows.Percentile(delays.Least, delays.Middle, delays.Most, percentile);
        return row.Unknown switch
        {
            UnknownPercentile.TooFewSamples => default,
            UnknownPercentile.MissingSamples => AtLeast(
                PercentileRow.Of(delays.Least, percentile).Value ?? MaxOf(delays.Least)),
            UnknownPercentile.WideInterval => new WindowFigure(
                PercentileRow.Of(delays.Least, percentile).Value, null, PercentileRow.Of(delays.Most, percentile).Value),
            _ => new WindowFigure(row.Value, row.Value, row.Value),
        };
    }

    /// <summary>The mean.</summary>
    public static WindowFigure Mean(WindowDelays delays) => Of(delays, histogram => histogram.Mean);

    /// <summary>The longest.</summary>
    public static WindowFigure Max(WindowDelays delays) => Of(delays, histogram => histogram.Max);

    /// <summary>What is known from below only.</summary>
    public static WindowFigure AtLeast(double? least) => new(least, null, null);

    private static WindowFigure Of(WindowDelays delays, Func<LatencyHistogram, double> statistic)
    {
        if (delays.Middle.Beyond > 0)
            return AtLeast(delays.Least.TotalCount == 0 ? null : statistic(delays.Least));
        if (delays.Middle.TotalCount == 0)
            return default;
        var (least, most) = (statistic(delays.Least), statistic(delays.Most));
        return new WindowFigure(least, DelayRows.IsWide(least, most) ? null : statistic(delays.Middle), most);
    }

    private static double? MaxOf(LatencyHistogram histogram) => histogram.TotalCount == 0 ? null : histogram.Max;
}
