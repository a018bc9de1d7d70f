using System.Diagnostics;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// On a thread of its own: has what was recorded taken in blocks; once a second logs it with the tool's own pauses, and
/// shows it. Allocates nothing per interval itself.
/// </summary>
public sealed class IntervalReporter : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly BlockSchedule _schedule = new();
    private readonly MetricIntervals _intervals;
    private readonly RunContext _context;
    private readonly IntervalLogFile _log;
    private readonly InstrumentWatch _instrument;
    private readonly ILiveView _view;
    private readonly string _hiccupTag;
    private readonly string _gcTag;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly Func<long, bool>? _endPeriodAt;
    private readonly ReporterThread _thread;
    private readonly long _startTimestamp;
    private volatile bool _isOver;
    private long _blockFrom;
    private long _intervalFrom;
    private LiveSnapshot _snapshot;
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;

    /// <summary>
    /// Starts it; the first interval begins now. The tool's own pauses are added to the set, and the view ends with it.
    /// </summary>
    /// <param name="set">What is taken.</param>
    /// <param name="end">What is done at the end of each interval.</param>
    /// <param name="context">The run.</param>
    /// <param name="log">Where intervals are logged.</param>
    /// <param name="instrument">Watches the tool itself.</param>
    /// <param name="view">Shows them.</param>
    /// <param name="endPeriodAt">
    /// Is told when an interval has ended, in nanoseconds of the monotonic clock, and says whether a period has; null
    /// where there are none.
    /// </param>
    public IntervalReporter(
        MetricSet set,
        IntervalEnd end,
        RunContext context,
        IntervalLogFile log,
        InstrumentWatch instrument,
        ILiveView view,
        Func<long, bool>? endPeriodAt = null)
    {
        ArgumentNullException.ThrowIfNull(set);
        ArgumentNullException.ThrowIfNull(instrument);
        ArgumentNullException.ThrowIfNull(log);
        set.AddReading(Metric.Hiccups, instrument.HiccupsOfPeriod);
        (_intervals, _hiccupTag) = (new MetricIntervals(set, end), set.TagOf(Metric.Hiccups.Name));
        _gcTag = set.TagOf(Metric.GcPausesTag);
        log.Sender?.Begin(set);
        (_context, _log, _instrument, _view, _endPeriodAt) = (context, log, instrument, view, endPeriodAt);
        var nowNs = MonotonicClock.NowNs();
        _blockFrom = _intervalFrom = MonotonicClock.ToTimestamp(nowNs);
        set.Began = _wallClock.ToUtc(nowNs);
        // The thread may poll before it is known here.
        _startTimestamp = Stopwatch.GetTimestamp();
        _thread = new ReporterThread(BlockSchedule.Tick, Poll);
    }

    /// <summary>Why what is measured is not well, in a sentence; null while it is. Any thread may ask.</summary>
    public string? HealthProblem => _isOver ? null : _intervals.HealthProblem;

    /// <summary>Ends it and takes the rest, after the last of what is measured was recorded.</summary>
    public void Stop()
    {
        _isOver = true;
        _instrument.EndWaits();
        _thread.Stop();
        var now = MonotonicClock.ToTimestamp(MonotonicClock.NowNs());
        TakeBlock(now);
        Take(now);
    }

    public void Dispose()
    {
        _thread.Dispose();
        _view.Dispose();
    }

    private void Poll(long now)
    {
        _schedule.MoveTo(Stopwatch.GetElapsedTime(_startTimestamp, now));
        if (_schedule.EndsBlock)
            TakeBlock(now);
        if (!_schedule.EndsInterval)
            return;
        Take(now);
        if (_endPeriodAt?.Invoke(MonotonicClock.FromTimestamp(now)) == true)
            _intervals.BeginPeriod();
    }

    private void TakeBlock(long now)
    {
        _intervals.TakeBlock(Stopwatch.GetElapsedTime(_blockFrom, now));
        _blockFrom = now;
    }

    private void Take(long now)
    {
        var (startNs, endNs) = (MonotonicClock.FromTimestamp(_intervalFrom), MonotonicClock.FromTimestamp(now));
        var interval = new TakenInterval(
            _log,
            _wallClock.ToUtc(startNs),
            _wallClock.ToUtc(endNs),
            endNs,
            Stopwatch.GetElapsedTime(_intervalFrom, now));
        _intervalFrom = now;
        _intervals.Take(interval, ref _snapshot);
        _instrument.TakeInterval();
        interval.Write(_hiccupTag, _instrument.HiccupsInterval);
        if (_instrument.GcPausesInterval.TotalCount > 0)
            interval.Write(_gcTag, _instrument.GcPausesInterval);
        Describe(interval);
        _log.EndInterval(startNs, _isOver);
        // What is left over at the end is logged; as a line among seconds its rates would mislead.
        if (interval.Duration > Second / 2)
            _view.Show(_snapshot);
    }

    private void Describe(in TakenInterval interval)
    {
        _snapshot.Phase = _context.Phase;
        _snapshot.CpuShare = TakeCpuTime() / interval.Duration;
        _snapshot.HiccupMax = _instrument.Hiccups.Max;
        _snapshot.Collections = (int)_instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromNanoseconds(_instrument.GcPauses.TotalPauseNs);
        _intervals.Describe(interval, ref _snapshot);
    }

    private TimeSpan TakeCpuTime()
    {
        var now = Environment.CpuUsage.TotalTime;
        var used = now - _cpuBefore;
        _cpuBefore = now;
        return used;
    }
}
