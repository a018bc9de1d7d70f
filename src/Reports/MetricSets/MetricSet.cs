using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.MetricSets;

/// <summary>
/// What a service measures and counts, of one target or in one phase. Interval log, live view, thresholds, run record
/// and telemetry read it. It is complete before it is read; then one thread takes intervals, and values may be read on
/// any thread.
/// </summary>
/// <param name="mark">What precedes its tags in the interval log; empty where it is the only one.</param>
/// <param name="labels">What tells it from other sets in telemetry.</param>
public sealed class MetricSet(string mark = "", params IReadOnlyList<KeyValuePair<string, object?>> labels)
{
    private readonly List<MetricSeries> _series = [];
    private readonly List<MetricSeries> _taken = [];
    private readonly List<(string Tag, MetricSeries Series)> _logged = [];
    private readonly List<MetricValue> _values = [];
    private readonly List<(Metric Metric, LatencyHistogram Total)> _histograms = [];
    private readonly Dictionary<string, Func<Threshold, ThresholdReading?>> _readings = [];
    private int _parts;

    /// <summary>The series, in the order in which they are shown.</summary>
    public IReadOnlyList<MetricSeries> Series => _series;

    /// <summary>What goes to the interval log, and its tags there: of its parts as well.</summary>
    public IReadOnlyList<(string Tag, MetricSeries Series)> Logged => _logged;

    /// <summary>
    /// The series that says most, from the intended start where that is known, and the tags in the interval log that
    /// add up to it; null where it has none.
    /// </summary>
    public (string Series, IReadOnlyList<string> Tags)? Headline =>
        (Shown(LiveColumn.LatencyFromIntended) ?? Shown(LiveColumn.Latency)) is { } first
            ? (first.Metric.Name,
                [.. _logged.Where(one => one.Series == first || first.IsSumOf(one.Series)).Select(one => one.Tag)])
            : null;

    /// <summary>Counters, gauges and ratios.</summary>
    public IReadOnlyList<MetricValue> Values => _values;

    /// <summary>All that was recorded so far, once: sums of other series are left out.</summary>
    public IReadOnlyList<(Metric Metric, LatencyHistogram Total)> Histograms => _histograms;

    /// <summary>What tells it from other sets in telemetry.</summary>
    public IReadOnlyList<KeyValuePair<string, object?>> Labels { get; } = labels;

    /// <summary>The series as the run record has them.</summary>
    public IReadOnlyList<LatencySeries> Latencies =>
    [
        .. _series.Select(one =>
            LatencySeries.Of(one.Metric.Name, PercentileTable.Of(one.Total, one.Blocks, Percentiles))),
    ];

    /// <summary>For how long nothing was answered at most; null where that is not worth saying.</summary>
    public Silence? Silence { get; set; }

    /// <summary>How often it was answered in a way that no column of the live view shows.</summary>
    public Func<double>? AnswersBeside { get; set; }

    /// <summary>How often it was answered so far, in whatever way. Allocates nothing. Any thread may ask.</summary>
    public double Answers
    {
        get
        {
            var sum = AnswersBeside?.Invoke() ?? 0;
            // By index: an enumerator would be allocated.
            for (var i = 0; i < _values.Count; i++)
            {
                if (_values[i].Metric.Column is LiveColumn.Returned or LiveColumn.Late or LiveColumn.Errors)
                    sum += _values[i].Read() ?? 0;
            }

            return sum;
        }
    }

    /// <summary>When the first block began; null while none has.</summary>
    public DateTimeOffset? Began { get; set; }

    /// <summary>What those on the way of it wait for a processor while it is measured.</summary>
    public IReadOnlyList<ProcessorWaits> Waits { get; set; } = [];

    /// <summary>The percentiles of every series.</summary>
    public IReadOnlyList<double> Percentiles { get; init; } = PercentileTable.Percentiles;

    /// <summary>The numbers as the run record has them.</summary>
    public IReadOnlyList<RecordedMetric> Recorded =>
    [
        .. _values.Where(one => one.Metric.Merge is not null)
            .Select(one => RecordedMetric.Of(one.Metric, one.Read())),
    ];

    public string TagOf(string name) => mark.Length == 0 ? name : $"{mark}.{name}";

    public void Add(MetricSeries series, bool isLogged = true)
    {
        _series.Add(series);
        _taken.Add(series);
        if (isLogged)
            _logged.Add((TagOf(series.Metric.Name), series));
        if (!series.IsSum)
            _histograms.Add((series.Metric, series.Total));
        AddReading(series.Metric, series.Total);
    }

    /// <summary>
    /// Takes and logs a set of a part of what it measures, which is complete, with its own: the record's next summary.
    /// </summary>
    public void Add(MetricSet part)
    {
        var place = ++_parts;
        _taken.AddRange(part._taken.Except(_taken));
        _logged.AddRange(part._logged.Select(one => (SummaryMark.TagOf(place, one.Tag), one.Series)));
    }

    /// <summary>Adds a series that is taken and logged elsewhere.</summary>
    public void Add(Metric metric, LatencyHistogram total)
    {
        _histograms.Add((metric, total));
        AddReading(metric, total);
    }

    /// <summary>Adds a counter, a gauge, a ratio or a duration in nanoseconds.</summary>
    /// <param name="metric">What it is.</param>
    /// <param name="read">Its value now, on any thread; null while it is not known, NaN where it cannot be.</param>
    /// <param name="whole">What its share is of; null where it has none.</param>
    public void Add(Metric metric, Func<double?> read, Func<double?>? whole = null)
    {
        _values.Add(new MetricValue(metric, read));
        AddReading(metric, threshold => read() is { } value
            ? new ThresholdReading(
                threshold.Unit == ThresholdUnit.Share && whole is not null ? value / (whole() ?? 0) : value)
            : null);
    }

    /// <summary>Says what thresholds on a metric are held against.</summary>
    public void AddReading(Metric metric, Func<Threshold, ThresholdReading?> read) =>
        _readings[metric.Name] = read;

    /// <inheritdoc cref="AddReading(Metric, Func{Threshold, ThresholdReading?})"/>
    public void AddReading(Metric metric, LatencyHistogram total) =>
        AddReading(metric, threshold => ThresholdReading.Of(total, threshold.SeriesStatistic));

    /// <summary>
    /// What a threshold asks for by its metric, statistic and unit: nanoseconds of a series, the number of a counter
    /// or, where the unit is <see cref="ThresholdUnit.Share"/>, its share of what was asked for; a ratio is the same in
    /// both units. Null where there is no such metric.
    /// </summary>
    public ThresholdReading? Find(Threshold threshold) =>
        _readings.GetValueOrDefault(threshold.Metric)?.Invoke(threshold);

    /// <summary>Takes what came since the last block, of all series behind one fence. Allocates nothing.</summary>
    public void TakeBlock(TimeSpan duration)
    {
        foreach (var series in _taken)
            series.EndRecording();
        LatencyRecorder.Fence();
        foreach (var series in _taken)
            series.Collect();
        foreach (var series in _taken)
            series.AddParts();
        foreach (var series in _taken)
            series.EndBlock(duration);
    }

    /// <summary>From now on also takes what comes in periods; before the first interval.</summary>
    public void BeginPeriods()
    {
        foreach (var series in _taken)
            series.BeginPeriods();
    }

    /// <summary>
    /// The series of the period that ends with the last interval, without numbers; valid until
    /// <see cref="BeginNextPeriod"/>.
    /// </summary>
    public MetricSet OfPeriod()
    {
        var period = new MetricSet(mark, Labels) { Percentiles = Percentiles, Silence = Silence, Waits = Waits };
        foreach (var series in _series)
            period.Add(series.OfPeriod());
        // Others say themselves what they are of.
        foreach (var (name, read) in _readings)
            period._readings.TryAdd(name, read);
        return period;
    }

    /// <summary>Begins the next period; all that was taken so far stays what it is.</summary>
    public void BeginNextPeriod()
    {
        foreach (var series in _taken)
            series.BeginNextPeriod();
        foreach (var waits in Waits)
            waits.Reset();
    }

    /// <summary>The interval, whose last block has just been taken, is over; it stays until the next block.</summary>
    public void EndInterval()
    {
        foreach (var series in _taken)
            series.EndInterval();
    }

    private MetricSeries? Shown(LiveColumn column) => _series.Find(one => one.Metric.Column == column);
}

/// <summary>A number in a <see cref="MetricSet"/>.</summary>
public sealed record MetricValue(Metric Metric, Func<double?> Read);
