using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Monitoring;

internal sealed record WindowFigures(
    DateTimeOffset Start, TimeSpan Length, HeartbeatCounts Counts, long LongestAgeNs, long ErrorNs,
    WindowDelays Delays, IReadOnlyList<WindowFigure> Averages, IReadOnlyList<string> Alerts)
{
    public DateTimeOffset End => Start + Length;

    // By their names in lines and in the log.
    public IReadOnlyList<(string Name, WindowFigure Figure)> Figures { get; } =
    [
        ("mean", WindowFigure.Mean(Delays)), ("p50", WindowFigure.Percentile(Delays, 50)),
        ("p95", WindowFigure.Percentile(Delays, 95)), ("p99", WindowFigure.Percentile(Delays, 99)),
        ("max", WindowFigure.Max(Delays)),
    ];
}

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

/// <summary>The delays of a window; heartbeats overdue longer than the slowest that was seen count as slower.</summary>
internal sealed class WindowDelays
{
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    public void Take(IReadOnlyList<WindowedSeries> leastMiddleMost)
    {
        foreach (var (part, series) in new[] { Least, Middle, Most }.Zip(leastMiddleMost))
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
    private readonly Sums[] _slots = new Sums[Seconds];

    public void Add(long leastNs, long mostNs)
    {
        lock (_gate)
        {
            ref var now = ref SlotOfNow();
            (now.LeastNs, now.MostNs, now.Count) = (now.LeastNs + leastNs, now.MostNs + mostNs, now.Count + 1);
        }
    }

    public void AddMissing(long heartbeats)
    {
        lock (_gate)
            SlotOfNow().Missing += heartbeats;
    }

    public WindowFigure Of(int minutes, long overdue)
    {
        var oldest = (MonotonicClock.NowNs() / SecondNs) - (minutes * 60);
        var sum = new Sums { Missing = overdue };
        lock (_gate)
        {
            foreach (var slot in _slots.Where(slot => slot.Second > oldest))
            {
                sum.LeastNs += slot.LeastNs;
                sum.MostNs += slot.MostNs;
                sum.Count += slot.Count;
                sum.Missing += slot.Missing;
            }
        }

        var (least, most) = (sum.LeastNs / sum.Count, sum.MostNs / sum.Count);
        return sum.Count == 0 ? default
            : sum.Missing > 0 ? WindowFigure.AtLeast(least)
            : WindowFigure.Between(least, (least + most) / 2, most);
    }

    private ref Sums SlotOfNow()
    {
        var second = MonotonicClock.NowNs() / SecondNs;
        ref var slot = ref _slots[second % Seconds];
        if (slot.Second != second)
            slot = new Sums { Second = second };
        return ref slot;
    }

    private record struct Sums(long Second, double LeastNs, double MostNs, long Count, long Missing);
}

/// <summary>A line of at most 80 characters per window on standard error; the first values settle the unit.</summary>
internal sealed class WindowLines(Diagnostics diagnostics, bool isReadHere)
{
    private const int LinesPerHead = 20;

    private DurationUnit? _unit;
    private int _linesUntilHead;

    public void Write(WindowFigures window)
    {
        if (_unit is null && window.Figures[0].Figure is var first && (first.Value ?? first.Least) is { } mean)
        {
            _unit = Quantity.UnitFor((long)mean);
            _linesUntilHead = 0;
        }

        if (_linesUntilHead-- == 0)
            WriteHeads(window);
        var counts = window.Counts;
        var figures = window.Figures.Select(one => one.Figure);
        if (isReadHere)
            figures = [.. figures, new WindowFigure(counts.AgeNs, counts.AgeNs, counts.AgeNs), .. window.Averages];
        var done = isReadHere ? counts.Seen : counts.Sent - counts.Refused;
        var missed = counts.Skipped + counts.Refused + counts.Unsent;
        diagnostics.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{window.End:HH:mm:ss} {done,4} {string.Join(' ', figures.Select(Show))} {missed,4}"));
    }

    private void WriteHeads(WindowFigures window)
    {
        _linesUntilHead = LinesPerHead - 1;
        var unit = _unit ?? DurationUnit.Microseconds;
        var symbol = Quantity.Symbol(unit);
        var heads = window.Figures.Select(one => one.Name);
        if (!isReadHere)
        {
            diagnostics.WriteLine($"{string.Empty,14}how late heartbeats left, {symbol}");
            diagnostics.WriteLine($"{"UTC",8} {"left",4} {Joined(heads)} {"not",4}");
            return;
        }

        // By one clock there is none.
        var error = window.ErrorNs == 0 ? ", of the last window" : $", each ±{Quantity.Duration(window.ErrorNs)}";
        diagnostics.WriteLine($"{string.Empty,14}{$"replication delay, {symbol}{error}",-48}averages");
        diagnostics.WriteLine($"{"UTC",8} {"seen",4} {Joined([.. heads, "age", "1m", "5m", "15m"])} {"not",4}");
    }

    private static string Joined(IEnumerable<string> heads) => string.Join(' ', heads.Select(head => $"{head,6}"));

    // What is no number is at most or at least one.
    private string Show(WindowFigure figure)
    {
        var text = figure.Value is { } known ? Show(known, 3)
            : figure.Most is { } most ? $"<{Show(most, 2)}"
            : figure.Least is { } least ? $">{Show(least, 2)}"
            : Quantity.None;
        return text.PadLeft(6);
    }

    private string Show(double nanoseconds, int decimals)
    {
        var value = nanoseconds / Quantity.Nanoseconds(_unit ?? DurationUnit.Microseconds);
        var taken = value switch { >= 999.95 => 3, >= 99.995 => 2, >= 9.9995 => 1, _ => 0 };
        return value.ToString($"F{Math.Max(0, decimals - taken)}", CultureInfo.InvariantCulture);
    }
}
