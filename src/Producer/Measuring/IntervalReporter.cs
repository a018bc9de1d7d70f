using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
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
    private readonly ILogger _logger;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly string[] _tags;
    private readonly string _hiccupTag;
    private readonly ReporterThread _thread;
    private LiveSnapshot _snapshot;
    private long _sentBefore;
    private long _connectionsLostBefore;
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;

    public IntervalReporter(
        TargetSession session,
        ProducerPlan plan,
        RunContext context,
        IntervalLogFile log,
        InstrumentWatch instrument,
        ILiveView view,
        ILogger logger)
    {
        _logger = logger;
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
        var totals = LiveTotals.Of(_session.Senders);
        _snapshot.Phase = _context.Phase;
        _snapshot.Elapsed = TimeSpan.FromTicks((MonotonicClock.NowNs() - _session.MeasureStart) / 100);
        _snapshot.Planned = _plan.Measure.Duration;
        _snapshot.Progress = ProgressOf(totals.Asked, _snapshot.Elapsed);
        _snapshot.TargetRate = _plan.IsOpenLoop ? _plan.Rate : null;
        _snapshot.AchievedRate = (totals.Sent - _sentBefore) / interval.Duration.TotalSeconds;
        _snapshot.InFlight = totals.InFlight;
        _snapshot.OneWay = _session.OneWay?.Provisional;
        _snapshot.Sent = totals.Sent;
        _snapshot.Returned = totals.Returned;
        _snapshot.Unsent = totals.Unsent;
        _snapshot.Duplicated = totals.Duplicated;
        _snapshot.Reordered = totals.Reordered;
        _snapshot.Late = totals.Late;
        _snapshot.Errors = totals.Errors;
        _snapshot.Lost = _plan.IsNoEcho ? 0 : Math.Max(0, totals.Sent - totals.InFlight - totals.Answered);
        _snapshot.CpuShare = TakeCpuTime() / interval.Duration;
        _snapshot.HiccupMax = _instrument.Hiccups.Max;
        _snapshot.Collections = (int)_instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromTicks(_instrument.GcPauses.TotalPauseNs / 100);
        for (var i = 0; i < _session.Series.Count; i++)
            ShowSeries(_session.Series[i]);
        _sentBefore = totals.Sent;
        if (totals.ConnectionsLost > _connectionsLostBefore)
            ProducerLog.ConnectionLost(_logger, _session.Name);
        _connectionsLostBefore = totals.ConnectionsLost;
        _view.Show(_snapshot);
    }

    private TimeSpan TakeCpuTime()
    {
        var now = Environment.CpuUsage.TotalTime;
        var used = now - _cpuBefore;
        _cpuBefore = now;
        return used;
    }

    private void ShowSeries(CollectedSeries series)
    {
        switch (series.Name)
        {
            case SeriesNames.RoundTrip:
                _snapshot.SentInterval = LatencyFigures.Of(series.Interval);
                _snapshot.SentRun = LatencyFigures.Of(series.Total);
                break;
            case SeriesNames.RoundTripFromIntended:
                _snapshot.IntendedInterval = LatencyFigures.Of(series.Interval);
                _snapshot.IntendedRun = LatencyFigures.Of(series.Total);
                break;
            case SeriesNames.Lateness:
                _snapshot.LatenessP99 = series.Interval.ValueAtPercentile(99);
                break;
        }
    }

    private double? ProgressOf(long asked, TimeSpan elapsed) => _plan.Measure switch
    {
        { Messages: { } messages } => Math.Min(1, (double)asked / messages),
        { Duration: { } duration } => Math.Min(1, elapsed / duration),
        _ => null,
    };
}
