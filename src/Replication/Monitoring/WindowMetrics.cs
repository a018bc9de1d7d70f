using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Monitoring;

/// <summary>
/// What heartbeats take, in windows, and what thresholds are held against: what overdue heartbeats could change has
/// only a least value.
/// </summary>
internal sealed class WindowMetrics
{
    private readonly HeartbeatSession _session;
    private readonly InstrumentWatch _instrument;
    private readonly long _mostWaiting;
    private readonly MetricSet _window = new();

    // Of the delays, and of those from when they were due, the lower ends, the middles and the upper ends; none where
    // they are read elsewhere.
    private readonly WindowedSeries[] _delays;
    private readonly WindowedSeries? _lateness;

    public WindowMetrics(HeartbeatSession session, InstrumentWatch instrument, long mostWaiting)
    {
        (_session, _instrument, _mostWaiting) = (session, instrument, mostWaiting);
        Metrics = session.NewMetrics([]);
        All = [.. Metrics.Series.Select(series => new WindowedSeries(series))];
        _delays = [.. All.Where(one => session.Tally.Parts.Contains(one.Series))];
        _lateness = All.FirstOrDefault(one => one.Series == session.Lateness);
        Main = _delays.Length > 0 ? _delays[1] : All[0];
        session.Lateness.MissingSoFar = () => (session.Counts.LeftOut, 0);
        session.Tally.CountMissing(() => session.Counts.WithoutDelay);
        foreach (var one in session.Readings)
            one.Probes.Tally.CountMissing(() => one.Probes.Counts.WithoutDelay);
        foreach (var one in All)
            _window.AddReading(one.Series.Metric, one.Window);
        AddDelays(DelayMetrics.Delay, FromSent);
        AddDelays(DelayMetrics.DelayFromIntended, FromIntended);
        _window.AddReading(Metric.Hiccups, Hiccups);
        _window.AddReading(DelayMetrics.Age, _ => new ThresholdReading(Counts.AgeNs) { Error = AgeErrorNs });
        DelayMetrics.AddKnownBeats(_window, () => Counts);

        void AddDelays(Metric metric, WindowDelays delays) => _window.AddReading(
            metric,
            threshold => ThresholdReading.Between(delays.Least, delays.Most, threshold.SeriesStatistic, ErrorNs));
    }

    public MetricSet Metrics { get; }
    public IReadOnlyList<WindowedSeries> All { get; }

    // What it is all about: the middles of the delays, or how late heartbeats left that are read elsewhere.
    public WindowedSeries Main { get; }
    public DelayCounts Counts { get; set; }
    public long ErrorNs { get; set; }
    public long AgeErrorNs { get; set; }
    public WindowDelays FromSent { get; } = new();
    public WindowDelays FromIntended { get; } = new();
    public long Overdue { get; private set; }
    public LatencyHistogram Hiccups { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram GcPauses { get; } = LatencyHistogram.ForLatency();

    public ThresholdResult Evaluate(Threshold threshold) => threshold.Evaluate(_window);

    public void Take(TimeSpan duration)
    {
        Metrics.TakeBlock(duration);
        Metrics.EndInterval();
        for (var i = 0; i < All.Count; i++)
            All[i].Window.Add(All[i].Series.Interval);
        _instrument.TakeInterval();
        Hiccups.Add(_instrument.HiccupsInterval);
        GcPauses.Add(_instrument.GcPausesInterval);
    }

    public void BeginWindow()
    {
        for (var i = 0; i < All.Count; i++)
            All[i].Window.Reset();
        Hiccups.Reset();
        GcPauses.Reset();
    }

    // Heartbeats of the window have no delay, or never left: they are slower than all others.
    public void EndWindow(in DelayCounts counts)
    {
        foreach (var delay in _delays)
            delay.Window.AddMissing(counts.WithoutDelay);
        _lateness?.Window.AddMissing(counts.LeftOut);
        FromSent.Take(_delays.Length == 0 ? [Main, Main, Main] : _delays[..3]);
        if (_delays.Length > 0)
            FromIntended.Take(_delays[3..]);
        Overdue = 0;
        var longest = FromSent.Most.TotalCount == 0 ? -1 : FromSent.Most.Max;
        foreach (var reading in _session.Readings)
            AddOverdue(reading.Probes.Counts, longest);
    }

    // Of a long outage as many as a window has, from the newest to the oldest. Each was sent when it was due, or
    // before.
    private void AddOverdue(in DelayCounts counts, long longestNs)
    {
        var taken = Math.Min(counts.Waiting, _mostWaiting);
        var newest = Math.Max(0, MonotonicClock.NowNs() - counts.NewestSentNs);
        for (long i = 0; i < taken; i++)
        {
            var before = taken == 1 ? 0 : (double)i / (taken - 1) * (counts.Waiting - 1);
            var waited = newest + (long)((long)before * _session.Schedule.IntervalNs);
            if (waited <= longestNs)
                continue;
            FromSent.AddWaiting(waited);
            FromIntended.AddWaiting(waited);
            Overdue++;
        }
    }
}
