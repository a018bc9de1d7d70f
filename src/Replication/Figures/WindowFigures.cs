using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Figures;

internal sealed record WindowFigures(
    DateTimeOffset Start,
    TimeSpan Length,
    HeartbeatCounts Counts,
    long LongestAgeNs,
    long ErrorNs,
    WindowDelays Delays,
    IReadOnlyList<WindowFigure> Averages,
    IReadOnlyList<string> Alerts)
{
    public DateTimeOffset End => Start + Length;

    public WindowFigure Mean { get; } = WindowFigure.Mean(Delays);
    public WindowFigure P50 { get; } = WindowFigure.Percentile(Delays, 50);
    public WindowFigure P95 { get; } = WindowFigure.Percentile(Delays, 95);
    public WindowFigure P99 { get; } = WindowFigure.Percentile(Delays, 99);
    public WindowFigure Max { get; } = WindowFigure.Max(Delays);
}

/// <summary>A figure of a window, in nanoseconds; all null where there is nothing to tell it by.</summary>
internal readonly record struct WindowFigure(double? Least, double? Value, double? Most)
{
    public static WindowFigure Percentile(WindowDelays delays, double percentile)
    {
        var row = DelayRows.Percentile(delays.Least, delays.Middle, delays.Most, percentile);
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

/// <summary>The delays of a window; heartbeats overdue longer than the slowest that was seen count as slower.</summary>
internal sealed class WindowDelays
{
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    public void Take(WindowedSeries least, WindowedSeries middle, WindowedSeries most)
    {
        Take(Least, least);
        Take(Middle, middle);
        Take(Most, most);

        static void Take(LatencyHistogram part, WindowedSeries series)
        {
            part.Reset();
            part.Add(series.Window);
        }
    }

    public void AddWaiting(long waitedNs)
    {
        Least.Record(waitedNs);
        Middle.AddMissing(1);
        Most.AddMissing(1);
    }
}

/// <summary>Mean delays of the last 1, 5 and 15 minutes, as pt-heartbeat's, kept by seconds. Thread safe.</summary>
internal sealed class MovingAverages
{
    private const int Seconds = 15 * 60;
    private const long SecondNs = 1_000_000_000;

    private readonly Lock _gate = new();
    private readonly long[] _whichSecond = new long[Seconds];
    private readonly double[] _sums = new double[Seconds];
    private readonly long[] _counts = new long[Seconds];
    private readonly long[] _missing = new long[Seconds];

    public void Add(long delayNs)
    {
        lock (_gate)
        {
            var slot = SlotOfNow();
            _sums[slot] += delayNs;
            _counts[slot]++;
        }
    }

    public void AddMissing(long heartbeats)
    {
        lock (_gate)
            _missing[SlotOfNow()] += heartbeats;
    }

    public WindowFigure Of(int minutes, long overdue)
    {
        var oldest = (MonotonicClock.NowNs() / SecondNs) - (minutes * 60);
        double sum = 0;
        long count = 0;
        var missing = overdue;
        lock (_gate)
        {
            for (var slot = 0; slot < Seconds; slot++)
            {
                if (_whichSecond[slot] <= oldest)
                    continue;
                sum += _sums[slot];
                count += _counts[slot];
                missing += _missing[slot];
            }
        }

        var mean = sum / count;
        return count == 0 ? default
            : missing > 0 ? WindowFigure.AtLeast(mean)
            : new WindowFigure(mean, mean, mean);
    }

    private long SlotOfNow()
    {
        var second = MonotonicClock.NowNs() / SecondNs;
        var slot = second % Seconds;
        if (_whichSecond[slot] != second)
            (_whichSecond[slot], _sums[slot], _counts[slot], _missing[slot]) = (second, 0, 0, 0);
        return slot;
    }
}
