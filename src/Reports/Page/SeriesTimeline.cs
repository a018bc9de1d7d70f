using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Reports.Page;

/// <summary>A series of an interval log: all of it, and how it went over time in at most 240 slices.</summary>
public sealed class SeriesTimeline
{
    internal const int MostSlices = 240;

    private readonly LatencyHistogram _values = LatencyHistogram.ForLatency();
    private readonly List<TimeSlice> _slices = [];
    private readonly int _startsPerSlice;
    private readonly bool _hasBands;
    private DateTimeOffset _sliceStart;
    private DateTimeOffset _lastStart;
    private DateTimeOffset _end;
    private TimeSpan _shortest = TimeSpan.MaxValue;
    private string _phase = string.Empty;
    private int _starts;

    internal SeriesTimeline(string name, int starts, bool hasBands = false)
    {
        (Name, _hasBands) = (name, hasBands);
        _startsPerSlice = Math.Max(1, (starts + MostSlices - 1) / MostSlices);
    }

    /// <summary>As in the interval log.</summary>
    public string Name { get; }

    /// <summary>All its values, and how many have none, as far as the record tells.</summary>
    public LatencyHistogram All { get; } = LatencyHistogram.ForLatency();

    /// <summary>How it went over time; slices without a value are there, too.</summary>
    public IReadOnlyList<TimeSlice> Slices => _slices;

    /// <summary>All values of several series; how they went over time is told of each alone.</summary>
    internal static SeriesTimeline SumOf(string name, IEnumerable<SeriesTimeline> parts)
    {
        var sum = new SeriesTimeline(name, starts: 0);
        foreach (var part in parts)
            sum.All.Add(part.All);
        return sum;
    }

    internal void Add(LoggedInterval interval)
    {
        // A workload logs its operations one by one, in intervals of the same start; each phase under its own number.
        var phase = interval.Tag is { } tag ? tag[..(tag.LastIndexOf('.') + 1)] : string.Empty;
        if (_starts > 0 && phase != _phase)
            Close();
        if (_starts == 0 || interval.Start != _lastStart)
        {
            // What was left of a second at the end is no part of its own: it belongs to the one before. After a pause
            // of the whole process one interval is longer than any other.
            if (_starts >= _startsPerSlice && interval.Length >= _shortest / 2)
                Close();
            if (_starts == 0)
                _sliceStart = interval.Start;
            _starts++;
            _lastStart = interval.Start;
            _shortest = interval.Length < _shortest ? interval.Length : _shortest;
        }

        _phase = phase;
        _end = interval.Start + interval.Length;
        _values.Add(interval.Histogram);
    }

    internal void Close()
    {
        if (_starts == 0)
            return;
        _slices.Add(TimeSlice.Of(_values, _sliceStart, _end, _hasBands));
        All.Add(_values);
        _values.Reset();
        _starts = 0;
    }
}
