using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Monitoring;

/// <summary>The figures of one window, as they are logged and shown.</summary>
internal sealed record WindowFigures(
    DateTimeOffset Start, TimeSpan Length, DelayCounts Counts, long LongestAgeNs, long ErrorNs,
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
        var done = isReadHere ? counts.Read : counts.Written;
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
