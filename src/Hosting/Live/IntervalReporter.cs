using System.Diagnostics;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
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
    private readonly IIntervalSource _source;
    private readonly RunContext _context;
    private readonly IntervalLogFile _log;
    private readonly InstrumentWatch _instrument;
    private readonly ILiveView _view;
    private readonly string _hiccupTag;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly ReporterThread _thread;
    private readonly long _startTimestamp;
    private volatile bool _isOver;
    private long _blockFrom;
    private long _intervalFrom;
    private LiveSnapshot _snapshot;
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;

    /// <summary>Starts it; the first interval begins now.</summary>
    /// <param name="set">What is measured; the tool's own pauses are added to it.</param>
    /// <param name="end">What the service does besides at the end of each interval.</param>
    /// <param name="context">The run whose phase is shown.</param>
    /// <param name="log">Where the intervals go.</param>
    /// <param name="instrument">The tool's own pauses, taken with each interval.</param>
    /// <param name="view">Where the intervals are shown; ends with it.</param>
    public IntervalReporter(
        MetricSet set,
        IntervalEnd end,
        RunContext context,
        IntervalLogFile log,
        InstrumentWatch instrument,
        ILiveView view)
        : this(
            new MetricIntervals(WithHiccups(set, instrument), end),
            context,
            log,
            instrument,
            view,
            set.TagOf(Metric.Hiccups.Name))
    {
    }

    /// <summary>Starts it; the first interval begins now.</summary>
    /// <param name="source">What is measured.</param>
    /// <param name="context">The run whose phase is shown.</param>
    /// <param name="log">Where the intervals go.</param>
    /// <param name="instrument">The tool's own pauses, taken with each interval.</param>
    /// <param name="view">Where the intervals are shown; ends with it.</param>
    /// <param name="hiccupTag">The tag of the tool's own pauses in the log.</param>
    public IntervalReporter(
        IIntervalSource source,
        RunContext context,
        IntervalLogFile log,
        InstrumentWatch instrument,
        ILiveView view,
        string hiccupTag)
    {
        (_source, _context, _log, _instrument, _view, _hiccupTag) = (source, context, log, instrument, view, hiccupTag);
        _blockFrom = _intervalFrom = MonotonicClock.ToTimestamp(MonotonicClock.NowNs());
        // The thread may look before it is known here.
        _startTimestamp = Stopwatch.GetTimestamp();
        _thread = new ReporterThread(BlockSchedule.Tick, Look);
    }

    /// <summary>Why what is measured is not well, in a sentence; null while it is. Any thread may ask.</summary>
    public string? Illness => _isOver ? null : (_source as MetricIntervals)?.Illness;

    /// <summary>Ends it and takes the rest, after the last of what is measured was recorded.</summary>
    public void Stop()
    {
        _isOver = true;
        _thread.Stop();
        var now = MonotonicClock.ToTimestamp(MonotonicClock.NowNs());
        TakeBlock(now);
        Take(now);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _thread.Dispose();
        _view.Dispose();
    }

    private static MetricSet WithHiccups(MetricSet set, InstrumentWatch instrument)
    {
        set.AddReading(Metric.Hiccups, instrument.Hiccups);
        return set;
    }

    private void Look(ReportInterval tick)
    {
        _schedule.MoveTo(Stopwatch.GetElapsedTime(_startTimestamp, tick.ToTimestamp));
        if (_schedule.EndsBlock)
            TakeBlock(tick.ToTimestamp);
        if (_schedule.EndsInterval)
            Take(tick.ToTimestamp);
    }

    private void TakeBlock(long now)
    {
        _source.TakeBlock(Stopwatch.GetElapsedTime(_blockFrom, now));
        _blockFrom = now;
    }

    private void Take(long now)
    {
        var reported = new ReportInterval(_intervalFrom, now);
        _intervalFrom = now;
        var endNs = MonotonicClock.FromTimestamp(reported.ToTimestamp);
        var interval = new TakenInterval(
            _log,
            _wallClock.ToUtc(MonotonicClock.FromTimestamp(reported.FromTimestamp)),
            _wallClock.ToUtc(endNs),
            endNs,
            reported.Duration);
        _source.Take(interval);
        _instrument.TakeInterval();
        interval.Write(_hiccupTag, _instrument.HiccupsInterval);
        Describe(interval);
        // What is left over at the end is logged; as a line among seconds its rates would mislead.
        if (reported.Duration > Second / 2)
            _view.Show(_snapshot);
    }

    private void Describe(in TakenInterval interval)
    {
        _snapshot.Phase = _context.Phase;
        _snapshot.CpuShare = TakeCpuTime() / interval.Duration;
        _snapshot.HiccupMax = _instrument.Hiccups.Max;
        _snapshot.Collections = (int)_instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromNanoseconds(_instrument.GcPauses.TotalPauseNs);
        _source.Describe(interval, ref _snapshot);
    }

    private TimeSpan TakeCpuTime()
    {
        var now = Environment.CpuUsage.TotalTime;
        var used = now - _cpuBefore;
        _cpuBefore = now;
        return used;
    }
}
