using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Sides;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Figures;

/// <summary>On its own thread: reads the age four times a second, shows progress, and makes the windows.</summary>
internal sealed class WindowReporter : IDisposable
{
    private static readonly TimeSpan LongestTick = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly int[] AverageMinutes = [1, 5, 15];

    private readonly DelayPlan _plan;
    private readonly HeartbeatSession _session;
    private readonly HeartbeatSeries _series;
    private readonly AlertBoard _alerts;
    private readonly MovingAverages _averages;
    private readonly HeartbeatEvents _events;
    private readonly HeartbeatMetrics _metrics;
    private readonly IntervalLogFile _intervals;
    private readonly WindowLog _log;
    private readonly WindowLines? _lines;
    private readonly HeartbeatView _view;
    private readonly TimeSpan _tick;
    private readonly List<LinkStandstill> _standstills = [];
    private readonly ReporterThread _thread;
    private HeartbeatCounts _before;
    private long _windowFrom;
    private long _secondFrom;
    private long _longestAgeNs;

    public WindowReporter(
        DelayPlan plan, RunContext run, HeartbeatSide side, HeartbeatSession session, HeartbeatSeries series,
        AlertBoard alerts, MovingAverages averages, HeartbeatEvents events, SessionEvents sessionEvents,
        RunRecording recording, ILiveView view)
    {
        (_plan, _session, _series, _alerts, _averages, _events) = (plan, session, series, alerts, averages, events);
        (_intervals, _log) = (recording.Saved.Log, new(recording.Saved.CreateLines(WindowLog.FileName), series));
        _lines = LiveViews.KindOf(plan.Options.Output) == LiveView.Plain
            ? new WindowLines(run.Diagnostics, side.Reads)
            : null;
        _view = new HeartbeatView(view, run, plan, session, side.Reads, recording.Instrument);
        var window = plan.Options.Continuous.Window;
        _metrics = new HeartbeatMetrics(series, session, (long)Math.Ceiling(window / plan.Options.Continuous.Interval));
        if (session.Ways.All(way => way.Reader is not null))
        {
            _standstills.AddRange(session.Ways.Select(
                way => new LinkStandstill(way.Destination!.Label, plan.HeartbeatIntervalNs, sessionEvents)));
        }

        _tick = window / Math.Ceiling(window / LongestTick);
        _windowFrom = _secondFrom = MonotonicClock.NowNs();
        _thread = new ReporterThread(_tick, _ => Tick());
    }

    public long Windows { get; private set; }
    public long LongestAgeNs { get; private set; }

    // For how long no heartbeat came at the end, of any way, in nanoseconds; zero where they did, or where the writer
    // has ended and all of its heartbeats were read.
    public long StoodStillNs => _standstills
        .Where((_, way) => _session.Ways[way].Beats.Count().Waiting > 0)
        .Select(one => one.StandsForNs).DefaultIfEmpty().Max();

    public bool IsEndedByAlert { get; private set; }

    public void Stop()
    {
        _thread.Stop();
        _session.Settle(isLast: true);
        _series.Take(Elapsed(_secondFrom));
        var isWhole = Elapsed(_windowFrom) > _plan.Options.Continuous.Window - _tick;
        EndWindow(isJudged: isWhole || Windows == 0 || _alerts.AwaitsAnother);
        CountMissing();
        _events.Report(_log);
    }

    public void Dispose() => _thread.Dispose();

    private static TimeSpan Elapsed(long fromNs) => TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - fromNs);

    private void Tick()
    {
        _session.Settle(isLast: false);
        var counts = _session.Count();
        CheckStandstills();
        if (HasAge(counts))
        {
            var age = _session.TakeLongestAge();
            _longestAgeNs = Math.Max(_longestAgeNs, age);
            LongestAgeNs = Math.Max(LongestAgeNs, age);
            (_metrics.Counts, _metrics.AgeErrorNs) = (counts with { AgeNs = age }, _session.NowErrorNs);
            _alerts.Judge(_metrics, isAge: true);
        }

        var isWindowOver = Elapsed(_windowFrom) > _plan.Options.Continuous.Window - (_tick / 2);
        if (isWindowOver || Elapsed(_secondFrom) > Second - (_tick / 2))
        {
            _series.Take(Elapsed(_secondFrom));
            _view.Show(counts, _series, _alerts, Elapsed(_secondFrom));
            _secondFrom = MonotonicClock.NowNs();
        }

        // What is left over while it ends is the last window.
        if (isWindowOver && !_session.IsEnding)
            EndWindow(isJudged: true);
        _events.Report(_log);
        if (_plan.Options.Continuous.OnAlert == OnAlert.Exit && !IsEndedByAlert && _alerts.Times > 0)
        {
            IsEndedByAlert = true;
            _session.End();
        }
    }

    // While it ends nobody writes any more, and the age only says that, but where something is still on its way.
    private bool HasAge(in HeartbeatCounts counts) => !_session.IsEnding || counts.Waiting > 0;

    private void CheckStandstills()
    {
        for (var i = 0; i < _standstills.Count; i++)
        {
            var (now, counts) = (MonotonicClock.NowNs(), _session.Ways[i].Beats.Count());
            // Of those that wait the oldest was sent as long ago as the newest, and so many intervals before.
            var waited = now - counts.NewestSentNs + ((counts.Waiting - 1) * _session.Schedule.IntervalNs);
            _standstills[i].Check(now, counts.Waiting == 0 ? now : now - Math.Min(counts.SilenceNs, waited));
        }
    }

    // Of the whole run, once: what was refused, unsent or is still waited for.
    private void CountMissing()
    {
        var counts = _session.Count();
        _session.Delays.CountMissing(counts.Asked);
        for (var i = 0; i < _session.Ways.Count && _session.Ways.Count > 1; i++)
            _session.Ways[i].Delays.CountMissing(_session.Ways[i].Beats.Count().Asked);
        _series.Lateness.Series.Total.SetMissing(counts.LeftOut);
    }

    private void EndWindow(bool isJudged)
    {
        var counts = _session.Count();
        var ofWindow = counts.Since(_before);
        _series.CountMissing(ofWindow.WithoutDelay, ofWindow.LeftOut);
        _averages.AddMissing(ofWindow.WithoutDelay);
        _metrics.TakeWindow();
        (_metrics.Counts, _metrics.ErrorNs) = (ofWindow, _session.WindowErrorNs);
        if (isJudged)
            _alerts.Judge(_metrics, isAge: false);

        var length = Elapsed(_windowFrom);
        var start = WallClockMapping.Sample().ToUtc(_windowFrom);
        var figures = new WindowFigures(
            start,
            length,
            _metrics.Counts,
            HasAge(counts) ? Math.Max(_longestAgeNs, counts.AgeNs) : _longestAgeNs,
            _session.WindowErrorNs,
            _metrics.FromSent,
            [.. AverageMinutes.Select(minutes => _averages.Of(minutes, _metrics.Overdue))],
            [.. _alerts.Active.Select(threshold => threshold.Text)]);
        for (var i = 0; i < _series.All.Count; i++)
            _intervals.Write(_series.All[i].Series.Metric.Name, start, length, _series.All[i].Window);
        _intervals.Write(Metric.Hiccups.Name, start, length, _series.Hiccups);
        _log.Write(figures);
        // What is left over at the end is logged; as a line among whole windows it would mislead.
        if (Windows == 0 || length > _plan.Options.Continuous.Window / 2)
            _lines?.Write(figures);
        _series.BeginWindow();
        _session.BeginWindow();
        Windows++;
        (_before, _windowFrom, _longestAgeNs) = (counts, MonotonicClock.NowNs(), 0);
    }
}

internal sealed class HeartbeatView(
    ILiveView view, RunContext context, DelayPlan plan, HeartbeatSession session, bool isReadHere,
    InstrumentWatch instrument)
{
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;
    private long _sentBefore;
    private LiveSnapshot _snapshot;

    public void Show(HeartbeatCounts counts, HeartbeatSeries series, AlertBoard alerts, TimeSpan since)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        var elapsed = MonotonicClock.NowNs() - session.Schedule.StartNs;
        (_snapshot.Phase, _snapshot.Interval) = (context.Phase, since);
        _snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(0, elapsed));
        _snapshot.Planned = plan.Options.Duration;
        _snapshot.Progress = plan.Options.Duration is { } whole ? Math.Min(1, _snapshot.Elapsed / whole) : null;
        _snapshot.TargetRate = session.Ways.Count / plan.Options.Continuous.Interval.TotalSeconds;
        _snapshot.Take(series.Metrics);
        _snapshot.AchievedRate = (_snapshot.Sent - _sentBefore) / since.TotalSeconds;
        _snapshot.Age = isReadHere ? TimeSpan.FromNanoseconds(counts.AgeNs) : null;
        _snapshot.Alerts = alerts.Active.Count();
        if (!isReadHere)
            _snapshot.Take(series.Lateness.Series, LiveColumn.Latency);
        _snapshot.HiccupMax = instrument.Hiccups.Max;
        _snapshot.Collections = (int)instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromNanoseconds(instrument.GcPauses.TotalPauseNs);
        _snapshot.CpuShare = (cpu - _cpuBefore) / since;
        (_cpuBefore, _sentBefore) = (cpu, _snapshot.Sent);
        view.Show(_snapshot);
    }
}
