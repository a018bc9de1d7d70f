using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// Lines of aligned columns on standard error (after the log of latte, pkolaczk/latte), each of all that happened since
/// the one before: one per interval on a terminal, where heads are repeated every twenty lines and columns left out
/// that it is too narrow for; elsewhere one in ten seconds at most. None where nothing happened.
/// </summary>
internal sealed class PlainView(
    LiveDescription description, Diagnostics diagnostics, LiveKeys keys, Func<int>? columns) : ILiveView
{
    private const int LinesPerHead = 20;

    // A second ends a little before or after it is over.
    private static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(9.5);

    private static readonly Column Time = new("time", 6, 0);
    private static readonly Column Phase = new("phase", -7, 1);
    private static readonly Column Left = new("left", 7, 1);
    private static readonly Column Rate = new("rate/s", 9, 2);
    private static readonly Column Open = new("open", 6, 9);
    private static readonly Column P50 = new("p50", 8, 6);
    private static readonly Column P99 = new("p99", 8, 3);
    private static readonly Column P999 = new("p99.9", 8, 8);
    private static readonly Column Max = new("max", 8, 7);
    private static readonly Column Lost = new("lost", 5, 4);

    private readonly Column _errors = new(description.Errors, description.Errors.Length, 5);
    private readonly char[] _line = new char[256];
    private readonly LatencyHistogram _latencies = LatencyHistogram.ForLatency();
    private DurationUnit? _unit;
    private int _linesUntilHead;
    private int _width;
    private int _lastRank;
    private int _length;
    private TimeSpan _sinceLine = TimeSpan.MaxValue;
    private TimeSpan _taken;
    private double _done;
    private LiveSnapshot _shown;

    public void Show(in LiveSnapshot snapshot)
    {
        _sinceLine = _sinceLine == TimeSpan.MaxValue ? _sinceLine : _sinceLine + snapshot.Interval;
        var wasWarmUp = _shown.Phase == RunPhase.WarmUp;
        var isWarmUp = snapshot.Phase == RunPhase.WarmUp;
        if (wasWarmUp != isWarmUp || IsIdle(snapshot))
            BeginLine();
        if (IsIdle(snapshot) && (wasWarmUp || !isWarmUp))
            return;
        _taken += snapshot.Interval;
        _done += snapshot.AchievedRate * snapshot.Interval.TotalSeconds;
        if (snapshot.Latencies is { } latencies)
            _latencies.Add(latencies);
        _shown.Phase = snapshot.Phase;
        if (keys.IsPaused || (columns is null && _sinceLine < ShortestPause))
            return;

        if (_unit is null && _latencies.TotalCount > 0)
        {
            _unit = Quantity.UnitFor(_latencies.ValueAtPercentile(50));
            _linesUntilHead = 0;
        }

        var width = columns?.Invoke() ?? Pages.UsualWidth;
        if (_linesUntilHead-- == 0 || width != _width)
            WriteHead(snapshot.IntendedInterval is not null, width);
        WriteRow(snapshot);
        _shown = snapshot;
        _sinceLine = TimeSpan.Zero;
        BeginLine();
    }

    public void Dispose() => keys.Dispose();

    private bool IsIdle(in LiveSnapshot snapshot) => snapshot.InFlight == 0
        && (snapshot.Sent, snapshot.Returned, snapshot.Unsent, snapshot.Lost, snapshot.Late, snapshot.Errors)
            == (_shown.Sent, _shown.Returned, _shown.Unsent, _shown.Lost, _shown.Late, _shown.Errors);

    private void BeginLine()
    {
        _latencies.Reset();
        (_taken, _done) = (TimeSpan.Zero, 0);
    }

    // The only strings that are made here.
    private void WriteHead(bool isIntended, int width)
    {
        (_width, _linesUntilHead, _lastRank) = (width, LinesPerHead - 1, Open.Rank);
        if (columns is null)
            (_unit, _linesUntilHead) = (_unit ?? DurationUnit.Microseconds, int.MaxValue);
        Column[] all = [Time, Phase, Rate, Open, P50, P99, P999, Max, Lost, _errors];
        while (_lastRank > 0 && all.Where(Shows).Sum(column => Math.Abs(column.Width) + 1) - 1 > width)
            _lastRank--;

        var unit = Quantity.Symbol(_unit ?? DurationUnit.Microseconds);
        var head = $"{(isIntended ? description.FromIntended : description.Latency)}, {unit}, since the last line";
        var indent = Math.Clamp(Math.Min(width, Pages.UsualWidth) - head.Length, 0, 33);
        diagnostics.WriteLine(new string(' ', indent) + head[..Math.Min(head.Length, width)]);
        _length = 0;
        foreach (var column in all)
        {
            var shown = description.HasTimeLeft && column == Phase ? Left : column;
            Append(shown, shown.Head);
        }

        diagnostics.WriteLine(_line.AsSpan(0, _length));
    }

    private void WriteRow(in LiveSnapshot snapshot)
    {
        _length = 0;
        AppendTime(Time, snapshot.Elapsed);
        if (description.HasTimeLeft && snapshot is { Phase: RunPhase.Measure, Left: { } left })
            AppendTime(Left, left);
        else
            Append(Phase, PhaseNames.Short(snapshot.Phase));
        AppendNumber(Rate, Math.Round(_done / _taken.TotalSeconds), "F0");
        AppendNumber(Open, snapshot.InFlight, "F0");
        AppendLatency(P50, _latencies.ValueAtPercentile(50));
        AppendLatency(P99, _latencies.ValueAtPercentile(99));
        AppendLatency(P999, _latencies.ValueAtPercentile(99.9));
        AppendLatency(Max, _latencies.Max);
        AppendNumber(Lost, snapshot.Lost, "F0");
        AppendNumber(_errors, snapshot.Errors, "F0");
        diagnostics.WriteLine(_line.AsSpan(0, _length));
    }

    // Not interpolated: until it is compiled a second time, that boxes each number.
    private void AppendTime(Column column, TimeSpan time)
    {
        // An interval ends a little before or after the full second: rounded down, one second would be there twice.
        var seconds = (long)Math.Round(time.TotalSeconds);
        Span<char> text = stackalloc char[32];
        (seconds / 60).TryFormat(text, out var length, default, CultureInfo.InvariantCulture);
        text[length++] = ':';
        (seconds % 60).TryFormat(text[length..], out var digits, "D2", CultureInfo.InvariantCulture);
        Append(column, text[..(length + digits)]);
    }

    private void AppendLatency(Column column, long nanoseconds)
    {
        var value = nanoseconds / Quantity.Nanoseconds(_unit ?? DurationUnit.Microseconds);
        if (_latencies.TotalCount == 0)
            Append(column, Quantity.None);
        else
            AppendNumber(column, value, Quantity.FourDigitsPlain(value));
    }

    private void AppendNumber(Column column, double value, string format)
    {
        Span<char> text = stackalloc char[32];
        if (double.IsFinite(value) && value.TryFormat(text, out var length, format, CultureInfo.InvariantCulture))
            Append(column, text[..length]);
        else
            Append(column, Quantity.None);
    }

    private bool Shows(Column column) =>
        column.Rank <= _lastRank && (description.CanBeLost || !ReferenceEquals(column, Lost));

    private void Append(Column column, ReadOnlySpan<char> text)
    {
        if (!Shows(column))
            return;
        if (_length > 0)
            _line[_length++] = ' ';
        Pad(column.Width - text.Length);
        text.CopyTo(_line.AsSpan(_length));
        _length += text.Length;
        Pad(-column.Width - text.Length);
    }

    private void Pad(int count)
    {
        for (; count > 0; count--)
            _line[_length++] = ' ';
    }

    // Its text stands at the right, at the left where the width is negative; those of the last ranks go first.
    private sealed record Column(string Head, int Width, int Rank);
}
