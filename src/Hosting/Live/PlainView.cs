using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// One line per interval on standard error, in aligned columns of at most 80 characters whose heads are repeated every
/// twenty lines (after the log of latte, pkolaczk/latte). The unit is settled by the first interval that has values.
/// </summary>
internal sealed class PlainView(LiveDescription description, Diagnostics diagnostics) : ILiveView
{
    private const int LinesPerHead = 20;
    private const int LatencyWidth = 8;

    private readonly char[] _line = new char[256];
    private DurationUnit? _unit;
    private int _linesUntilHead;
    private bool _wasIdle;
    private int _length;

    public void Show(in LiveSnapshot snapshot)
    {
        // A service that waits says so once, not every second of the night.
        var isStillIdle = snapshot.IsIdle && _wasIdle;
        _wasIdle = snapshot.IsIdle;
        if (isStillIdle)
            return;
        var figures = snapshot.IntendedInterval ?? snapshot.SentInterval;
        if (_unit is null && figures.Count > 0)
        {
            _unit = Quantity.UnitFor(figures.P50);
            _linesUntilHead = 0;
        }

        if (_linesUntilHead-- == 0)
            WriteHead(snapshot.IntendedInterval is not null);
        WriteRow(snapshot, figures);
    }

    public void Dispose()
    {
    }

    // Twice in a run without warm-up, then every twenty lines: the only strings that are made here.
    private void WriteHead(bool isIntended)
    {
        _linesUntilHead = LinesPerHead - 1;
        var from = isIntended ? "intended" : "actual";
        var unit = Quantity.Symbol(_unit ?? DurationUnit.Microseconds);
        var head = $"{description.Latency} from {from} send, {unit}, last interval";
        diagnostics.WriteLine(new string(' ', Math.Clamp(TextTable.PageWidth - head.Length, 0, 33)) + head);
        diagnostics.WriteLine(
            $"{"time",6} {(description.HasTimeLeft ? "   left" : "phase  ")} {"rate/s",9} {"open",6}" +
            $" {"p50",8} {"p99",8} {"p99.9",8} {"max",8} {"lost",5} {"errors",6}");
    }

    private void WriteRow(in LiveSnapshot snapshot, in LatencyFigures figures)
    {
        _length = 0;
        AppendTime(snapshot.Elapsed, 6);
        if (description.HasTimeLeft && snapshot is { Phase: RunPhase.Measure, Left: { } left })
            AppendTime(left, 7);
        else
            AppendLeft(PhaseNames.Short(snapshot.Phase), 7);
        AppendNumber(Math.Round(snapshot.AchievedRate), "F0", 9);
        AppendNumber(snapshot.InFlight, "F0", 6);
        AppendLatency(figures.P50, figures.Count);
        AppendLatency(figures.P99, figures.Count);
        AppendLatency(figures.P999, figures.Count);
        AppendLatency(figures.Max, figures.Count);
        AppendNumber(snapshot.Lost, "F0", 5);
        AppendNumber(snapshot.Errors, "F0", 6);
        diagnostics.WriteLine(_line.AsSpan(0, _length));
    }

    // Not interpolated: until it is compiled a second time, that boxes each number.
    private void AppendTime(TimeSpan time, int width)
    {
        // An interval ends a little before or after the full second: rounded down, one second would be there twice.
        var seconds = (long)Math.Round(time.TotalSeconds);
        Span<char> text = stackalloc char[32];
        (seconds / 60).TryFormat(text, out var length, default, CultureInfo.InvariantCulture);
        text[length++] = ':';
        (seconds % 60).TryFormat(text[length..], out var digits, "D2", CultureInfo.InvariantCulture);
        AppendRight(text[..(length + digits)], width);
    }

    private void AppendLatency(long nanoseconds, long count)
    {
        var value = nanoseconds / Quantity.Nanoseconds(_unit ?? DurationUnit.Microseconds);
        if (count == 0)
            AppendRight(Quantity.None, LatencyWidth);
        else
            AppendNumber(value, Quantity.FourDigitsPlain(value), LatencyWidth);
    }

    private void AppendNumber(double value, string format, int width)
    {
        Span<char> text = stackalloc char[32];
        if (double.IsFinite(value) && value.TryFormat(text, out var length, format, CultureInfo.InvariantCulture))
            AppendRight(text[..length], width);
        else
            AppendRight(Quantity.None, width);
    }

    private void AppendRight(ReadOnlySpan<char> text, int width)
    {
        Separate();
        Pad(width - text.Length);
        Append(text);
    }

    private void AppendLeft(ReadOnlySpan<char> text, int width)
    {
        Separate();
        Append(text);
        Pad(width - text.Length);
    }

    private void Separate()
    {
        if (_length > 0)
            Pad(1);
    }

    private void Pad(int count)
    {
        for (; count > 0; count--)
            _line[_length++] = ' ';
    }

    private void Append(ReadOnlySpan<char> text)
    {
        text.CopyTo(_line.AsSpan(_length));
        _length += text.Length;
    }
}
