using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Monitoring;

/// <summary>
/// Shows and logs, window by window, what a session with one key a shard measures, on a thread of its own.
/// </summary>
internal sealed class WindowReporter : ProbeReporter
{
    private static readonly TimeSpan LongestTick = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly int[] AverageMinutes = [1, 5, 15];

    private readonly DelayPlan _plan;
    private readonly RunContext _run;
    private readonly ProbeSide _side;
    private readonly HeartbeatSession _session;
    private readonly RunRecording _recording;
    private readonly SessionEvents _events;
    private readonly HeartbeatMonitor _monitor;
    private readonly WindowMetrics _metrics;
    private readonly WindowLog _log;
    private readonly WindowLines? _lines;
    private readonly IReadOnlyList<LinkStall> _standstills;
    private HeartbeatView? _view;
    private ReporterThread? _thread;
    private TimeSpan _tick;
    private DelayCounts _before;
    private long _windowFrom;
    private long _secondFrom;
    private long _windowAgeNs;
    private long _windows;
    private long _longestAgeNs;
    private bool _isEndedByAlert;

    public WindowReporter(
        DelayPlan plan, RunContext run, ProbeSide side, RunRecording recording, SessionEvents events,
        HeartbeatMonitor monitor)
    {
        (_plan, _run, _side, _recording, _events, _monitor) = (plan, run, side, recording, events, monitor);
        _session = (HeartbeatSession)side.Session;
        monitor.Served.Add(recording.Instrument.Metrics);
        _metrics = new WindowMetrics(
            _session, recording.Instrument,
            (long)Math.Ceiling(plan.Options.Continuous.Window / plan.Options.Continuous.Interval));
        recording.Show(_metrics.Metrics);
        _log = new WindowLog(recording.Saved.CreateLines(WindowLog.FileName), _metrics);
        _lines = LiveViews.KindOf(plan.Options.Output) == LiveView.Plain
            ? new(run.Diagnostics, side.Reads)
            : null;
        _standstills =
        [
            .. _session.Readings.Select(
                one => new LinkStall(one.Destination.Label, _session.Schedule.IntervalNs, events)),
        ];
        Waits = recording.Instrument.WatchWaits(LocalServer.WaitsOf(side.Targets));
    }

    public override IReadOnlyList<MetricSeries> Series => [.. _metrics.All.Select(known => known.Series)];

    public override IReadOnlyList<ProcessorWaits> Waits { get; }

    public override long DurationNs => Math.Max(1, _session.EndedNs - _session.Schedule.StartNs);

    public override long WritingNs =>
        Math.Min(DurationNs, _plan.Options.Duration?.InNanoseconds ?? long.MaxValue);

    public override HeartbeatFacts Heartbeat => new()
    {
        IntervalNs = (long)_plan.IntervalNs,
        WindowNs = Window.InNanoseconds,
        Windows = _windows,
        LongestAgeNs = _longestAgeNs,
    };

    public override IReadOnlyList<RecordedMetric> Rows => [RecordedMetric.Of(Counted.Alerts, Alerts.Times)];

    public override string? EndedBy => _isEndedByAlert ? "ended by an alert" : null;

    // After a whole window it is a finding that none came.
    public override bool HasMeasured => !_side.Reads || _session.Counts.Read > 0 || _windows > 1;

    private WindowAlerts Alerts => _monitor.Alerts;

    private TimeSpan Window => _plan.Options.Continuous.Window;

    // For how long no heartbeat came at the end, of any shard, in nanoseconds; zero where they did, or where the writer
    // has ended and all of its heartbeats were read.
    private long StoodStillNs => _standstills
        .Where((_, shard) => _session.Beats[shard].Counts.Waiting > 0)
        .Select(one => one.StandsForNs).DefaultIfEmpty().Max();

    public override void Begin()
    {
        ReportBegin();
        _view = new HeartbeatView(
            LiveViews.KindOf(_plan.Options.Output) == LiveView.Rich ? _recording.View(Description()) : LiveViews.None(),
            _run, _session, _side.Reads, _recording.Instrument);
        _monitor.Events.Log = _log;
        _tick = Window / Math.Ceiling(Window / LongestTick);
        _windowFrom = _secondFrom = MonotonicClock.NowNs();
        _thread = new ReporterThread(_tick, _ => Tick());
    }

    public override void Stop()
    {
        _thread?.Stop();
        _side.Settle(isLast: true);
        _metrics.Take(Elapsed(_secondFrom));
        JudgeAge(_session.Counts);
        var isWhole = Elapsed(_windowFrom) > Window - _tick;
        EndWindow(isJudged: isWhole || _windows == 0 || Alerts.AwaitsAnother);
        _monitor.Events.Report();
        _view?.Dispose();
    }

    // An alert that ends it may be the one that a server is lost.
    public override void RequireServers()
    {
        if (_session.LostAtEnd is { } lost && !_isEndedByAlert)
            throw new TargetLostException($"{lost}, and was not back at the end.");
    }

    public override void Finish()
    {
        var counts = _session.Counts;
        _session.Tally.CountMissing(counts.Asked);
        foreach (var one in _session.Readings.Where(_ => _session.Beats.Count > 1))
            one.Probes.Tally.CountMissing(one.Probes.Counts.Asked);
        _session.Lateness.Total.SetMissing(counts.LeftOut);
    }

    public override IEnumerable<MeasuredThreshold> Thresholds(ProbeAccount account) =>
        Alerts.States.Select(state => state.ToRecord());

    public override IEnumerable<string> Faults(ProbeAccount account)
    {
        var counts = _session.Counts;
        if (_side.Reads && counts.Read == 0)
            yield return "No heartbeat was seen at the destination.";
        if (!_side.Reads && counts.Written == 0)
            yield return "No heartbeat was written to the source.";
        if (StoodStillNs > 0 && !_isEndedByAlert && counts.Read > 0)
        {
            yield return $"At the end no heartbeat had come for {Quantity.Duration(StoodStillNs)}: how long "
                + "those took that were on their way is not known.";
        }

        var without = counts.WithoutDelay + (_run.StoppedBy is not null ? 0 : Unread(counts));
        var isKnown = counts.Read > 0 || !_side.Reads;
        if (isKnown && without > VerdictLimits.TolerableLoss * counts.Asked && !_isEndedByAlert)
            yield return DelayVerdict.WithoutDelay(without, counts.Asked, "heartbeats");
    }

    public override IEnumerable<string> Doubts()
    {
        var counts = _session.Counts;
        if (counts.HeldUp > (1 - VerdictLimits.KeptRate) * counts.Asked)
        {
            yield return $"{Quantity.Percent((double)counts.HeldUp / counts.Asked)} of the heartbeats were due while "
                + "the process that writes them was held up: the wait is in their delays, from when they were due.";
        }
    }

    // Who reads what another process writes knows by the schedule only that the last one of each was due: its writer
    // may have been late with it.
    private long Unread(in DelayCounts counts) => !_side.Reads ? 0
        : _side.Writes ? counts.Waiting
        : Math.Max(0, counts.Waiting - _session.Beats.Count);

    public override IEnumerable<string> Notes(ProbeAccount account)
    {
        var counts = _session.Counts;
        var refusal = _session.Writers.Select(writer => writer.FirstRefusal).FirstOrDefault(text => text is not null);
        if (refusal is not null)
            yield return DelayVerdict.Refused(counts.Refused, "heartbeats", refusal);
        if (counts.Unsent > 0)
        {
            var who = _side.Writes ? "this process" : "the writer";
            yield return $"{Quantity.Count(counts.Unsent)} heartbeats were due while there was no connection to the "
                + $"source, or while {who} was held up or gone.";
        }

        if (counts.Skipped > 0)
        {
            yield return $"{Quantity.Count(counts.Skipped)} heartbeats were not seen before a later one was there: "
                + "none was there at the last poll before, and a reader had no need of any from then.";
        }

        if (_events.Forgotten > 0)
            yield return "Of what happened the first and the last of each kind are here; "
                + $"{Quantity.Count(_events.Forgotten)} more are in {WindowLog.FileName}.";
    }

    public override void Dispose()
    {
        _thread?.Dispose();
        _view?.Dispose();
    }

    private static TimeSpan Elapsed(long fromNs) => TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - fromNs);

    private void Tick()
    {
        _side.Settle(isLast: false);
        var counts = _session.Counts;
        CheckStandstills();
        JudgeAge(counts);
        var hasWindowEnded = Elapsed(_windowFrom) > Window - (_tick / 2);
        if (hasWindowEnded || Elapsed(_secondFrom) > Second - (_tick / 2))
        {
            _metrics.Take(Elapsed(_secondFrom));
            _view?.Show(counts, _metrics, Alerts, Elapsed(_secondFrom));
            _secondFrom = MonotonicClock.NowNs();
        }

        // What is left over while it ends is the last window.
        if (hasWindowEnded && !_session.IsEnding)
            EndWindow(isJudged: true);
        _monitor.Events.Report();
        if (_plan.Options.Continuous.OnAlert == OnAlert.Exit && !_isEndedByAlert && Alerts.Times > 0)
        {
            _isEndedByAlert = true;
            _session.End();
        }
    }

    private void JudgeAge(in DelayCounts counts)
    {
        var age = _session.TakeLongestAge();
        _windowAgeNs = Math.Max(_windowAgeNs, age);
        _longestAgeNs = Math.Max(_longestAgeNs, age);
        (_metrics.Counts, _metrics.AgeErrorNs) = (counts with { AgeNs = age }, _side.NowErrorNs);
        Alerts.Judge(_metrics, isAge: true);
    }

    private void CheckStandstills()
    {
        for (var i = 0; i < _standstills.Count; i++)
        {
            var (now, counts) = (MonotonicClock.NowNs(), _session.Beats[i].Counts);
            // Of those that wait the oldest was sent as long ago as the newest, and so many intervals before.
            var waited = now - counts.NewestSentNs + (long)((counts.Waiting - 1) * _session.Schedule.IntervalNs);
            _standstills[i].Check(now, counts.Waiting == 0 ? now : now - Math.Min(counts.SilenceNs, waited));
        }
    }

    private void EndWindow(bool isJudged)
    {
        var counts = _session.Counts;
        // At the end its age is that when writing ended.
        var ofWindow = counts.Since(_before) with { AgeNs = Math.Min(counts.AgeNs, _windowAgeNs) };
        _session.Averages.AddMissing(ofWindow.WithoutDelay);
        _metrics.EndWindow(ofWindow);
        (_metrics.Counts, _metrics.ErrorNs) = (ofWindow, _side.WindowErrorNs);
        if (isJudged)
            Alerts.Judge(_metrics, isAge: false);

        var length = Elapsed(_windowFrom);
        var start = WallClockMapping.Sample().ToUtc(_windowFrom);
        var figures = new WindowFigures(
            start, length, _metrics.Counts, _windowAgeNs, _side.WindowErrorNs, _metrics.FromSent,
            [.. AverageMinutes.Select(minutes => _session.Averages.Of(minutes, _metrics.Overdue))],
            [.. Alerts.Active.Select(threshold => threshold.Text)]);
        for (var i = 0; i < _metrics.All.Count; i++)
            _recording.Saved.Log.Write(_metrics.All[i].Series.Metric.Name, start, length, _metrics.All[i].Window);
        _recording.Saved.Log.Write(Metric.Hiccups.Name, start, length, _metrics.Hiccups);
        if (_metrics.GcPauses.TotalCount > 0)
            _recording.Saved.Log.Write(Metric.GcPausesTag, start, length, _metrics.GcPauses);
        _log.Write(figures);
        // What is left over at the end is logged; as a line among whole windows it would mislead.
        if (_windows == 0 || length > Window / 2)
            _lines?.Write(figures);
        _metrics.BeginWindow();
        _side.BeginWindow();
        _windows++;
        (_before, _windowFrom, _windowAgeNs) = (counts, MonotonicClock.NowNs(), 0);
    }

    private void ReportBegin()
    {
        var end = _plan.Options.Duration is { } duration
            ? $"for {Quantity.Duration(duration.TotalNanoseconds)}"
            : "until it is stopped";
        var keys = _session.Beats.Count == 1
            ? "one key"
            : $"{Quantity.Count(_session.Beats.Count)} keys, one of each shard";
        var interval = Quantity.Duration(_plan.IntervalNs);
        ReplicationLog.Beating(_run.Logger, _side.Ends.Source, _side.Ends.Destination, interval, keys, end);
    }

    private LiveDescription Description()
    {
        var description = LiveDescription.Of($"heartbeats · {_side.Title} · run {_plan.Run}", _metrics.Metrics);
        return _side.Reads ? description : description with { Latency = _metrics.Main.Series.Metric.Name };
    }
}

/// <summary>Fills the live view of a continuous run.</summary>
internal sealed class HeartbeatView(
    ILiveView view, RunContext context, HeartbeatSession session, bool isReadHere, InstrumentWatch instrument)
    : IDisposable
{
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;
    private long _sentBefore;
    private LiveSnapshot _snapshot;

    public void Show(DelayCounts counts, WindowMetrics metrics, WindowAlerts alerts, TimeSpan since)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        (_snapshot.Phase, _snapshot.Interval) = (context.Phase, since);
        session.Describe(ref _snapshot);
        _snapshot.Take(metrics.Metrics);
        _snapshot.AchievedRate = (_snapshot.Sent - _sentBefore) / since.TotalSeconds;
        _snapshot.Age = isReadHere ? TimeSpan.FromNanoseconds(counts.AgeNs) : null;
        _snapshot.Alerts = alerts.Active.Count();
        if (!isReadHere)
            _snapshot.Take(metrics.Main.Series, LiveColumn.Latency);
        _snapshot.HiccupMax = instrument.Hiccups.Max;
        _snapshot.Collections = (int)instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromNanoseconds(instrument.GcPauses.TotalPauseNs);
        _snapshot.CpuShare = (cpu - _cpuBefore) / since;
        (_cpuBefore, _sentBefore) = (cpu, _snapshot.Sent);
        view.Show(_snapshot);
    }

    public void Dispose() => view.Dispose();
}
