using System.Globalization;
using RedisLatency.Hosting.Output;

namespace RedisLatency.Replication.Heartbeat.Windows;

/// <summary>
/// One line per window on standard error, at most 80 characters, its heads repeated every twenty lines. The unit is
/// settled by the first window that has delays.
/// </summary>
internal sealed class WindowLines(Diagnostics diagnostics)
{
    private const int LinesPerHead = 20;

    private static readonly string[] Heads = ["mean", "p50", "p95", "p99", "max", "age", "1m", "5m", "15m"];

    private DurationUnit? _unit;
    private int _linesUntilHead;

    /// <summary>Writes the line of a window.</summary>
    public void Write(WindowFigures window)
    {
        if (_unit is null && window.Mean is { } mean)
        {
            _unit = Quantity.UnitFor((long)mean);
            _linesUntilHead = 0;
        }

        if (_linesUntilHead-- == 0)
            WriteHeads();
        double?[] figures =
        [
            window.Mean, window.P50, window.P95, window.P99, window.Max, window.Counts.AgeNs, .. window.Averages,
        ];
        var unseen = window.Counts.Skipped + window.Counts.Refused + window.Counts.Unsent;
        diagnostics.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{window.End:HH:mm:ss} {window.Counts.Seen,4} {string.Join(' ', figures.Select(Show))} {unseen,4}"));
    }

    private void WriteHeads()
    {
        _linesUntilHead = LinesPerHead - 1;
        var unit = Quantity.Symbol(_unit ?? DurationUnit.Microseconds);
        diagnostics.WriteLine($"{string.Empty,14}replication delay, {unit}, of the last window{string.Empty,7}averages");
        diagnostics.WriteLine($"{"UTC",8} {"seen",4} {string.Join(' ', Heads.Select(head => $"{head,6}"))} {"not",4}");
    }

    private string Show(double? nanoseconds)
    {
        if (nanoseconds is not { } known)
            return $"{Quantity.None,6}";
        var value = known / Quantity.Nanoseconds(_unit ?? DurationUnit.Microseconds);
        var format = value switch { >= 999.95 => "F0", >= 99.995 => "F1", >= 9.9995 => "F2", _ => "F3" };
        return value.ToString(format, CultureInfo.InvariantCulture).PadLeft(6);
    }
}
