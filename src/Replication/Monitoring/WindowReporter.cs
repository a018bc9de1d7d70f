using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Replication.Monitoring;

/// <summary>On its own thread: reads the age four times a second, shows progress, and makes the windows.</summary>
internal sealed class WindowReporter(
    DelayPlan plan, RunContext run, HeartbeatSide side, HeartbeatSession session, HeartbeatSeries series,
    AlertBoard alerts, MovingAverages averages, HeartbeatEvents events, IReadOnlyList<LinkStandstill> standstills,
    RunRecording recording, ILiveView view) : IDisposable
{
    private static readonly TimeSpan LongestTick = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly int[] AverageMinutes = [1, 5, 15];

    private readonly HeartbeatMetrics _metrics = new(
        series, session, (long)Math.Ceiling(plan.Options.Continuous.Window / plan.Options.Continuous.Interval));

    private readonly WindowLog _log = new(recording.Saved.CreateLines(WindowLog.FileName), series);

    private readonly WindowLines? _lines = LiveViews.KindOf(plan.Options.Output) == LiveView.Plain
        ? new(run.Diagnostics, side.Reads)
        : null;

    private readonly HeartbeatView _view = new(view, run, plan, session, side.Reads, recording.Instrument);
    private ReporterThread? _thread;
    private TimeSpan _tick;
    private HeartbeatCounts _before;
    private long _windowFrom;
    private long _secondFrom;
    private long _longestAgeNs;

    public long Windows { get; private set; }
    public long LongestAgeNs { get; private set; }

    // For how long no heartbeat came at the end, of any way, in nanoseconds; zero where they did, or where the writer
    // has ended and all of its heartbeats were read.
    public long StoodStillNs => standstills
        .Where((_, way) => session.Ways[way].Beats.Count().Waiting > 0)
        .Select(one => one.StandsForNs).DefaultIfEmpty().Max();

    public bool IsEndedByAlert { get; private set; }

    private TimeSpan Window => plan.Options.Continuous.Window;

    public void Begin()
    {
        events.Log = _log;
        _tick = Window / Math.Ceiling(Window / LongestTick);
        _windowFrom = _secondFrom = MonotonicClock.NowNs();
        _thread = new ReporterThread(_tick, _ => Tick());
    }

    public void Stop()
    {
        _thread?.Stop();
        session.Settle(isLast: true);
        series.Take(Elapsed(_secondFrom));
        var isWhole = Elapsed(_windowFrom) > Window - _tick;
        EndWindow(isJudged: isWhole || Windows == 0 || alerts.AwaitsAnother);
        CountMissing();
        events.Report();
    }

    public void Dispose() => _thread?.Dispose();

    private static TimeSpan Elapsed(long fromNs) => TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - fromNs);

    private void Tick()
    {
        session.Settle(isLast: false);
        var counts = session.Count();
        CheckStandstills();
        if (HasAge(counts))
        {
            var age = session.TakeLongestAge();
            _longestAgeNs = Math.Max(_longestAgeNs, age);
            LongestAgeNs = Math.Max(LongestAgeNs, age);
            (_metrics.Counts, _metrics.AgeErrorNs) = (counts with { AgeNs = age }, session.NowErrorNs);
            alerts.Judge(_metrics, isAge: true);
        }

        var isWindowOver = Elapsed(_windowFrom) > Window - (_tick / 2);
        if (isWindowOver || Elapsed(_secondFrom) > Second - (_tick / 2))
        {
            series.Take(Elapsed(_secondFrom));
            _view.Show(counts, series, alerts, Elapsed(_secondFrom));
            _secondFrom = MonotonicClock.NowNs();
        }

        // What is left over while it ends is the last window.
        if (isWindowOver && !session.IsEnding)
            EndWindow(isJudged: true);
        events.Report();
        if (plan.Options.Continuous.OnAlert == OnAlert.Exit && !IsEndedByAlert && alerts.Times > 0)
        {
            IsEndedByAlert = true;
            session.End();
        }
    }

    // While it ends nobody writes any more, and the age only says that, but where something is still on its way.
    private bool HasAge(in HeartbeatCounts counts) => !session.IsEnding || counts.Waiting > 0;

    private void CheckStandstills()
    {
        for (var i = 0; i < standstills.Count; i++)
        {
            var (now, counts) = (MonotonicClock.NowNs(), session.Ways[i].Beats.Count());
            // Of those that wait the oldest was sent as long ago as the newest, and so many intervals before.
            var waited = now - counts.NewestSentNs + ((counts.Waiting - 1) * session.Schedule.IntervalNs);
            standstills[i].Check(now, counts.Waiting == 0 ? now : now - Math.Min(counts.SilenceNs, waited));
        }
    }

    // Of the whole run, once: what was refused, unsent or is still waited for.
    private void CountMissing()
    {
        var counts = session.Count();
        session.Delays.CountMissing(counts.Asked);
        for (var i = 0; i < session.Ways.Count && session.Ways.Count > 1; i++)
            session.Ways[i].Delays.CountMissing(session.Ways[i].Beats.Count().Asked);
        series.Lateness.Series.Total.SetMissing(counts.LeftOut);
    }

    private void EndWindow(bool isJudged)
    {
        var counts = session.Count();
        var ofWindow = counts.Since(_before);
        series.CountMissing(ofWindow.WithoutDelay, ofWindow.LeftOut);
        averages.AddMissing(ofWindow.WithoutDelay);
        _metrics.TakeWindow();
        (_metrics.Counts, _metrics.ErrorNs) = (ofWindow, session.WindowErrorNs);
        if (isJudged)
            alerts.Judge(_metrics, isAge: false);

        var length = Elapsed(_windowFrom);
        var start = WallClockMapping.Sample().ToUtc(_windowFrom);
        var longestAge = HasAge(counts) ? Math.Max(_longestAgeNs, counts.AgeNs) : _longestAgeNs;
        var figures = new WindowFigures(
            start, length, _metrics.Counts, longestAge, session.WindowErrorNs, _metrics.FromSent,
            [.. AverageMinutes.Select(minutes => averages.Of(minutes, _metrics.Overdue))],
            [.. alerts.Active.Select(threshold => threshold.Text)]);
        for (var i = 0; i < series.All.Count; i++)
            recording.Saved.Log.Write(series.All[i].Series.Metric.Name, start, length, series.All[i].Window);
        recording.Saved.Log.Write(Metric.Hiccups.Name, start, length, series.Hiccups);
        if (series.GcPauses.TotalCount > 0)
            recording.Saved.Log.Write(Metric.GcPausesTag, start, length, series.GcPauses);
        _log.Write(figures);
        // What is left over at the end is logged; as a line among whole windows it would mislead.
        if (Windows == 0 || length > Window / 2)
            _lines?.Write(figures);
        series.BeginWindow();
        session.BeginWindow();
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
