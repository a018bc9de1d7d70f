using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Page;

/// <summary>A part of a series' time: what was timed in it. Times are nanoseconds.</summary>
/// <param name="Start">When it began.</param>
/// <param name="Length">How long it took.</param>
/// <param name="Count">How many values it has.</param>
/// <param name="P50">The median; null where too few values lie above it, as the next two.</param>
/// <param name="P90">The 90th percentile.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="Max">The largest value; null where there is none, or one was above the histogram's range.</param>
/// <param name="Bands">
/// How many lie in each quarter of an octave, from the first that has any; nothing where they were not asked for.
/// </param>
public sealed record TimeSlice(
    DateTimeOffset Start, TimeSpan Length, long Count, long? P50, long? P90, long? P99, long? Max, HeatBands Bands)
{
    /// <summary>Where it stands in a chart.</summary>
    public DateTimeOffset Middle => Start + (Length / 2);

    internal static TimeSlice Of(
        LatencyHistogram values, DateTimeOffset start, DateTimeOffset end, bool hasBands) => new(
        start,
        end - start,
        values.TotalCount,
        PercentileRow.Of(values, 50).Value,
        PercentileRow.Of(values, 90).Value,
        PercentileRow.Of(values, 99).Value,
        values.TotalCount > 0 && values.AboveRange == 0 ? values.Max : null,
        hasBands ? HeatBands.Of(values) : new HeatBands(0, []));
}

/// <summary>Counts by bands that are a quarter of an octave wide each: band n begins at 2^(n/4) ns.</summary>
public readonly record struct HeatBands(int First, IReadOnlyList<long> Counts)
{
    private const int PerOctave = 4;

    /// <summary>Where a band begins, in nanoseconds.</summary>
    public static double StartOf(int band) => Math.Pow(2, (double)band / PerOctave);

    /// <summary>How many lie in a band.</summary>
    public long At(int band) => band >= First && band < First + Counts.Count ? Counts[band - First] : 0;

    internal static HeatBands Of(LatencyHistogram values)
    {
        if (values.TotalCount == 0)
            return new HeatBands(0, []);
        var first = BandOf(values.Min);
        var counts = new long[BandOf(values.Max) - first + 1];
        foreach (var value in values.RecordedValues)
            counts[Math.Clamp(BandOf(value.Median) - first, 0, counts.Length - 1)] += value.Count;
        return new HeatBands(first, counts);
    }

    private static int BandOf(long value) => (int)Math.Floor(PerOctave * Math.Log2(Math.Max(1, value)));
}

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
    private TimeSpan _length;
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

    internal void Add(LoggedInterval interval)
    {
        // A workload logs its operations one by one, in intervals of the same start.
        if (_starts == 0 || interval.Start != _lastStart)
        {
            // What was left of a second at the end is no part of its own: it belongs to the one before.
            if (_starts >= _startsPerSlice && interval.Length >= _length / 2)
                Close();
            if (_starts == 0)
                (_sliceStart, _length) = (interval.Start, interval.Length);
            _starts++;
            _lastStart = interval.Start;
        }

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
