using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads.Phases;

/// <summary>One phase on its servers: connected, measured, and what came of it.</summary>
internal sealed class PhaseSession : IDisposable
{
    // The first operation is due a little later than now, so that every thread is there by then.
    private const long LeadNs = 5_000_000;

    private readonly IReadOnlyList<ResolvedTarget> _targets;
    private readonly RunningOptions _running;
    private LoadEngine? _engine;
    private Func<EngineProgress> _progress = () => default;
    private long _ended;
    private bool _isGivenUp;
    private double? _askedRate;

    /// <summary>The tag precedes its series in the log; empty where it is the only one.</summary>
    public PhaseSession(PhasePlan phase, string tag, IReadOnlyList<ResolvedTarget> targets, RunningOptions running)
    {
        Phase = phase;
        Tag = tag;
        Metrics = new MetricSet(tag, new("target", targets[0].Name), new("phase", phase.FullName))
        { Percentiles = PercentileTable.With(running.Percentiles) };
        _targets = targets;
        _running = running;
        Server = new ObservedServers(
            targets,
            phase.Mix.Operations.Where(operation => operation.Command.OnlyReads)
                .SelectMany(operation => operation.Command.Shapes)
                .Select(shape => shape.Name.ToLowerInvariant()).ToHashSet());
    }

    private PhaseSession(PhaseSession whole, MetricSet metrics)
    {
        (Phase, Tag, Metrics, Server, Driver) = (whole.Phase, whole.Tag, metrics, whole.Server, whole.Driver);
        (_targets, _running, IsInProcess) = (whole._targets, whole._running, whole.IsInProcess);
    }

    /// <summary>What is done; where, once it is connected.</summary>
    public PhasePlan Phase { get; private set; }

    public string Tag { get; }

    public ResolvedTarget Target => _targets[0];

    public bool IsFloor { get; init; }

    public bool IsInProcess { get; init; }

    /// <summary>Whether it is a step of a search, which may go beyond what can be kept.</summary>
    public bool IsStep { get; init; }

    /// <summary>Whether it is one of many turns, in which two servers are compared.</summary>
    public bool IsTurn { get; init; }

    public ObservedServers Server { get; }

    /// <summary>What is measured and counted; complete once it is connected.</summary>
    public MetricSet Metrics { get; private init; }

    /// <summary>What was done; exact once the phase is over.</summary>
    public EngineTotals? Totals { get; private set; }

    /// <exception cref="InvalidOperationException">It has not ended.</exception>
    public EngineTotals Measured => Totals ?? throw new InvalidOperationException($"{Phase.Name} was not measured.");

    /// <summary>What sends and receives; known once it is connected.</summary>
    public EngineDriver Driver { get; private set; } = EngineDriver.None;

    /// <summary>Why it ended before its time, where an error reply was to stop it; or null.</summary>
    public string? StopReason { get; private set; }

    /// <summary>Why what was written could not be noted, so that cleanup would not find it; or null.</summary>
    public string? NotNoted { get; set; }

    /// <summary>Which left requests unanswered at the end, although it answers; null where none did.</summary>
    public RedisEndpoint? Silent { get; private set; }

    /// <summary>When the first operation was sent, warm-up included, by the monotonic clock.</summary>
    public long Started { get; private set; }

    public bool HasMeasured => Totals is { Due: > 0 };

    /// <summary>Whether requests are sent behind others on a connection: a reply less moves all that follow.</summary>
    public bool HasOthersBehind => Driver.IsClientLibrary || Phase.Pipeline > 1;

    // Whether it came to its own end: nobody stopped it, and its servers were still there.
    public bool IsWhole { get; private set; }

    /// <summary>
    /// The time that its rates are divided by, in nanoseconds: up to the end of the phase, or to the last answer where
    /// the schedule left a queue.
    /// </summary>
    public long DurationNs => StretchNs + Queue.DurationNs;

    /// <summary>What the schedule left unanswered at its end; nothing in the closed loop.</summary>
    public ScheduleBacklog Queue { get; private set; }

    /// <summary>How long it was measured, up to the end of the phase, in nanoseconds.</summary>
    public long StretchNs => Totals switch
    {
        null => Math.Max(0, Progress() is { MeasuredFrom: > 0 and var from } ? MonotonicClock.NowNs() - from : 0),
        { } totals => Math.Max(
            ScheduleEndsNs(totals),
            totals.MeasuredUntil > totals.MeasuredFrom
                ? totals.MeasuredUntil - totals.MeasuredFrom
                : Math.Max(1, _ended - totals.MeasuredFrom)),
    };

    /// <summary>How long its schedule asked for, in nanoseconds.</summary>
    public long ScheduledNs => Totals is { IsOfPeriod: true } ? StretchNs : Math.Min(
        Phase.Duration?.InNanoseconds ?? long.MaxValue,
        Phase.Operations is null ? long.MaxValue : (long)((Totals?.Due ?? 0) * 1e9 / (AskedRate ?? 1)));

    /// <summary>Operations completed per second, the warm-up's not counted; null before.</summary>
    public double? Throughput => DurationNs > 0 ? Progress().Counts.Completed / (DurationNs / 1e9) : null;

    /// <summary>The rate that was asked for, in operations per second; null in a closed loop.</summary>
    public double? AskedRate
    {
        get
        {
            if (!Phase.IsOpenLoop)
                return null;
            if (_askedRate is { } ofPeriod)
                return ofPeriod;

            // Of several stretches the average over those that were measured.
            var length = TimeSpan.FromNanoseconds(StretchNs);
            var measured = Phase.Duration is { } duration && duration < length ? duration : length;
            return RateSteps.Average(Phase.Options.Rate, measured);
        }
    }

    /// <summary>
    /// What a period of it measured: this one goes on, or is over. An operation is of the period in which it ends.
    /// </summary>
    /// <param name="now">What was done so far.</param>
    /// <param name="before">What was done before the period; null in the first.</param>
    /// <param name="fromNs">When the period began, in nanoseconds of the monotonic clock.</param>
    /// <param name="untilNs">When it ended.</param>
    public PhaseSession OfPeriod(EngineTotals now, EngineTotals? before, long fromNs, long untilNs)
    {
        var totals = now.Since(before, fromNs, untilNs);
        var metrics = WorkloadMetrics.OfPeriod(
            Metrics, totals.Progress, Phase.IsOpenLoop, !Driver.IsClientLibrary);
        var period = new PhaseSession(this, metrics)
        {
            Totals = totals,
            // A queue, and what was lost, is of the last.
            Queue = Queue,
            StopReason = StopReason,
            Silent = Silent,
            IsWhole = Totals is null || IsWhole,
            _progress = () => totals.Progress,
            _askedRate = Phase.IsOpenLoop ? AskedBetween(now.MeasuredFrom, fromNs, untilNs) : null,
        };
        WorkloadMetrics.AddRates(metrics, () => period.Throughput, () => period.AskedRate, () => totals.BusyShare);
        return period;
    }

    /// <summary>What was done so far, each operation counted when it has ended; null before it is connected.</summary>
    public EngineTotals? SettledSoFar() =>
        (Totals ?? _engine?.Totals())?.Settled(WorkloadMetrics.CompletedOf(Metrics, Phase.Mix));

    /// <summary>From when an operation was due, with a schedule.</summary>
    public LatencyHistogram ResponseTimes =>
        Metrics.Series.First(series => series.Metric.Name == WorkloadMetrics.Response.Name).Total;

    /// <summary>How far it has come, on any thread. Allocates nothing.</summary>
    public EngineProgress Progress() => _progress();

    /// <summary>What one operation has come to, on any thread, while the phase goes on.</summary>
    public OperationCounts CountsOf(int operation)
    {
        var sum = default(OperationCounts);
        foreach (var worker in _engine?.Workers ?? [])
            sum.Add(worker.Operations[operation]);
        return sum;
    }

    public void Connect()
    {
        if (_engine is not null)
            return;
        Phase = Phase.At(_targets, _running, IsInProcess);
        LoadEngine engine = _targets[0].Driver == DriverKind.StackExchange
            ? new ClientEngine(Phase)
            : new RawEngine(Phase);
        try
        {
            engine.Connect();
        }
        catch
        {
            engine.Dispose();
            throw;
        }

        _engine = engine;
        Driver = engine.Driver;
        _progress = engine.Progress;
        WorkloadMetrics.AddSeries(Metrics, Phase.Mix, engine.Workers, Phase.IsOpenLoop);
        WorkloadMetrics.AddCounts(Metrics, Progress, Phase.IsOpenLoop, !Driver.IsClientLibrary);
        Metrics.AnswersBeside = () => Progress().Load.WarmUpAnswers;
        WorkloadMetrics.AddRates(Metrics, () => Throughput, () => AskedRate, () => Totals?.BusyShare);
    }

    /// <summary>Measures it, until it is over or stopped.</summary>
    /// <param name="reporting">Reports it meanwhile.</param>
    /// <param name="stop">Ends it.</param>
    /// <param name="start">
    /// Waits for whom it starts with, and returns when, in nanoseconds of the monotonic clock; null to start at once.
    /// </param>
    public void Measure(
        Func<PhaseSession, IntervalReporter> reporting, IStopToken stop, Func<long>? start = null)
    {
        Server.ReadBefore(_engine!.Servers);
        Started = start?.Invoke() ?? MonotonicClock.NowNs() + LeadNs;
        using (var reporter = reporting(this))
        {
            _engine!.Start(Started, Server.RoundTripBeforeNs);
            using (stop.Cancellation.Register(_engine.RequestStop))
                _engine.Join();
            reporter.Stop();
        }

        _ended = MonotonicClock.NowNs();
        Totals = _engine.Totals();
        if (Phase.IsOpenLoop)
            Queue = ScheduleBacklog.Of(Totals.AfterEnd, ResponseTimes, Server.RoundTripBeforeNs);
        StopReason = _engine.Failure is null ? _engine.StopReason : null;
        Server.ReadAfter(_engine.Servers);
        var failure = _engine.Failure;
        Dispose();
        _isGivenUp = failure is RedisException;
        if (failure is RedisException)
            throw new TargetLostException(failure.Message, failure);
        if (failure is null && Totals.Lost is { } lost)
            Silent = WhyLost(lost) is { } reason ? throw new TargetLostException(reason) : lost.Target;
        else if (failure is null && HasOthersBehind && Totals.Stuck is { } stuck
            && WhyLost(new LostTarget(stuck, true)) is null)
            Silent = stuck;
        if (failure is not null)
            throw new InvalidOperationException(failure.Message, failure);
        IsWhole = !stop.IsRequested;
    }

    // Of several stretches the average over those of the period.
    private double AskedBetween(long startNs, long fromNs, long untilNs)
    {
        var (from, until) = (TimeSpan.FromNanoseconds(fromNs - startNs), TimeSpan.FromNanoseconds(untilNs - startNs));
        var due = RateSteps.Until(Phase.Options.Rate, until) - RateSteps.Until(Phase.Options.Rate, from);
        return due / (until - from).TotalSeconds;
    }

    // So many operations of a schedule take as many intervals: the last one's belongs to them. What a target that was
    // given up was not sent is unsent, in the time that it was asked for.
    private long ScheduleEndsNs(EngineTotals totals)
    {
        if (!Phase.IsOpenLoop || !(_isGivenUp || totals.Sent == Phase.Operations))
            return 0;
        var byTime = Phase.Duration?.InNanoseconds ?? long.MaxValue;
        var byCount = Phase.Operations is { } operations ? new RateCurve(Phase.Rate).TimeOf(operations) : long.MaxValue;
        return Math.Min(byTime, byCount) is var ends && ends < long.MaxValue ? ends : 0;
    }

    // Replies may have been lost on the way, and the last of them among these: then the server still answers.
    private string? WhyLost(LostTarget lost)
    {
        if (!lost.IsSilent)
            return $"{lost.Target.Address}: the target was lost: nothing was connected to it at the end of the phase";
        try
        {
            using var control = (_targets[0] with { Endpoint = lost.Target }).OpenControl();
            _ = control.Request("PING");
            return null;
        }
        catch (RedisException)
        {
            return $"{lost.Target.Address}: the target was lost: it answered nothing at the end of the phase";
        }
    }

    /// <summary>Closes the connections; what was measured stays.</summary>
    public void Dispose()
    {
        _engine?.Dispose();
        _engine = null;
    }
}

internal sealed class PhaseProgress(PhaseSession session, ILogger logger)
{
    private static readonly TimeSpan LeastForARate = TimeSpan.FromSeconds(0.5);

    private long _connectionsLostBefore;
    private long _doneBefore;

    /// <summary>Tells the live view, and says where connections were lost. Allocates nothing else.</summary>
    public void Tell(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var progress = session.Progress();
        var phase = session.Phase;
        var measured = TimeSpan.FromNanoseconds(interval.EndNs - progress.MeasuredFrom);
        var isMeasuring = measured > TimeSpan.Zero;
        var started = TimeSpan.FromNanoseconds(Math.Max(0, interval.EndNs - session.Started));
        snapshot.Phase = isMeasuring ? RunPhase.Measure : RunPhase.WarmUp;
        snapshot.Elapsed = isMeasuring ? measured : started;
        snapshot.Planned = isMeasuring ? phase.Duration : phase.WarmUp;
        snapshot.Progress = isMeasuring ? ProgressOf(progress.Counts.Sent, measured) : started / phase.WarmUp;
        snapshot.TargetRate = phase.IsOpenLoop ? RateSteps.At(phase.Options.Rate, measured) : null;

        // What is sent to warm up is not counted.
        if (!isMeasuring)
            snapshot.AchievedRate = double.NaN;
        else if (measured < interval.Duration)
            (snapshot.AchievedRate, snapshot.Interval) = (RateOf(snapshot.Returned, measured), measured);
        else
            snapshot.AchievedRate = (snapshot.Returned - _doneBefore) / interval.Duration.TotalSeconds;
        _doneBefore = snapshot.Returned;
        if (progress.Load.ConnectionsLost > _connectionsLostBefore)
        {
            WorkloadsLog.ConnectionsLost(
                logger, progress.Load.ConnectionsLost - _connectionsLostBefore, session.Target.Name);
        }

        _connectionsLostBefore = progress.Load.ConnectionsLost;
    }

    // What was done since the interval ended is in it: of a moment it would be most.
    private static double RateOf(long done, TimeSpan measured) =>
        measured < LeastForARate ? double.NaN : done / measured.TotalSeconds;

    // Whichever limit is nearer.
    private double? ProgressOf(long sent, TimeSpan measured)
    {
        var byCount = session.Phase.Operations is { } operations ? (double)sent / operations : (double?)null;
        var byTime = session.Phase.Duration is { } duration ? measured / duration : (double?)null;
        return byCount is null && byTime is null ? null : Math.Min(1, Math.Max(byCount ?? 0, byTime ?? 0));
    }
}
