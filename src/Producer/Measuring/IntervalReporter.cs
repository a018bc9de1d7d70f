using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Producer.Targets;

namespace RedisLatency.Producer.Measuring;

/// <summary>
/// Once a second, on a thread of its own: takes what was recorded, writes it to the interval log and shows it.
/// </summary>
internal sealed class IntervalReporter : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly TargetSession _session;
    private readonly ProducerPlan _plan;
    private readonly RunContext _context;
    private readonly IntervalLogFile _log;
    private readonly InstrumentWatch _instrument;
    private readonly ILiveView _view;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly string[] _tags;
    private readonly string _hiccupTag;
    private readonly ReporterThread _thread;
    private LiveSnapshot _snapshot;
    private long _sentBefore;

    public IntervalReporter(
        TargetSession session,
        ProducerPlan plan,
        RunContext context,
        IntervalLogFile log,
        InstrumentWatch instrument,
        ILiveView view)
    {
        (_session, _plan, _context, _log, _instrument, _view) = (session, plan, context, log, instrument, view);
        _tags = [.. session.Series.Select(series => session.TagOf(series.Name))];
        _hiccupTag = session.TagOf(SeriesNames.Hiccups);
        _thread = new ReporterThread(Second, Take);
    }

    /// <summary>Takes the rest, after the last message was accounted for.</summary>
    public void Stop()
    {
        _thread.Stop();
        var last = _thread.LastTimestamp == 0 ? _thread.StartTimestamp : _thread.LastTimestamp;
        Take(new ReportInterval(last, MonotonicClock.ToTimestamp(MonotonicClock.NowNs())));
    }

    /// <inheritdoc/>
    public void Dispose() => _thread.Dispose();

    private void Take(ReportInterval interval)
    {
        var start = _wallClock.ToUtc(MonotonicClock.FromTimestamp(interval.FromTimestamp));
        _instrument.TakeInterval();
        for (var i = 0; i < _tags.Length; i++)
        {
            _session.Series[i].TakeInterval(_session.Recorded);
            _log.Write(_tags[i], start, interval.Duration, _session.Series[i].Interval);
        }

        _log.Write(_hiccupTag, start, interval.Duration, _instrument.HiccupsInterval);
        if (interval.Duration > Second / 2)
            Show(interval);
    }

    private void Show(ReportInterval interval)
    {
        var counts = MessageTotals.Of(_session.Senders, isOver: false);
        var elapsed = TimeSpan.FromTicks((MonotonicClock.NowNs() - _session.MeasureStart) / 100);
        _snapshot.Phase = _context.Phase;
        _snapshot.Elapsed = elapsed;
        _snapshot.Planned = _plan.Measure.Duration;
        _snapshot.Progress = ProgressOf(counts, elapsed);
        _snapshot.TargetRate = _plan.IsOpenLoop ? _plan.Rate : null;
        _snapshot.AchievedRate = (counts.Sent!.Value - _sentBefore) / interval.Duration.TotalSeconds;
        _snapshot.InFlight = _session.Senders.Sum(sender => sender.Counts.InFlight);
        _snapshot.Sent = counts.Sent!.Value;
        _snapshot.Returned = counts.Returned!.Value;
        _snapshot.Unsent = counts.Unsent!.Value;
        _snapshot.Duplicated = counts.Duplicated!.Value;
        _snapshot.Reordered = counts.Reordered!.Value;
        _snapshot.Late = counts.Late!.Value;
        _snapshot.Errors = counts.Wrong!.Value + counts.Corrupted!.Value;
        _snapshot.HiccupMax = _instrument.Hiccups.Max;
        _snapshot.Collections = (int)_instrument.GcPauses.Collections;
        foreach (var series in _session.Series)
            ShowSeries(series);
        _sentBefore = counts.Sent!.Value;
        _view.Show(_snapshot);
    }

    private void ShowSeries(CollectedSeries series)
    {
        switch (series.Name)
        {
            case SeriesNames.RoundTrip:
                _snapshot.SentInterval = FiguresOf(series.Interval);
                _snapshot.SentRun = FiguresOf(series.Total);
                break;
            case SeriesNames.RoundTripFromIntended:
                _snapshot.IntendedInterval = FiguresOf(series.Interval);
                _snapshot.IntendedRun = FiguresOf(series.Total);
                break;
            case SeriesNames.Lateness:
                _snapshot.LatenessP99 = series.Interval.ValueAtPercentile(99);
                break;
        }
    }

    private double? ProgressOf(MessageCounts counts, TimeSpan elapsed) => _plan.Measure switch
    {
        { Messages: { } messages } => Math.Min(1, (double)counts.Asked!.Value / messages),
        { Duration: { } duration } => Math.Min(1, elapsed / duration),
        _ => null,
    };

    private static LatencyFigures FiguresOf(LatencyHistogram histogram) => new(
        histogram.TotalCount,
        histogram.ValueAtPercentile(50),
        histogram.ValueAtPercentile(90),
        histogram.ValueAtPercentile(99),
        histogram.ValueAtPercentile(99.9),
        histogram.Max);
}
