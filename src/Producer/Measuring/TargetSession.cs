using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Producer.OneWay;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.Measuring;

/// <summary>Measures one target: its streams, the consumers that answer them, and what is recorded.</summary>
internal sealed class TargetSession : IDisposable
{
    // The first message is due a little later than now, so that every stream's thread is there by then.
    private const long LeadNs = 5_000_000;

    private readonly ProducerPlan _plan;
    private readonly IReadOnlyList<PresentConsumer>[] _consumers;
    private List<StreamPhase> _measure = [];
    private EmbeddedConsumer? _own;
    private volatile bool _isGivenUp;
    private List<PresentConsumer> _reportedBefore = [];
    private bool _hasEnded;
    private long _turnStart;
    private long _roundTripBeforeNs = long.MaxValue;

    /// <summary>Nothing is connected yet. The mark precedes its series in the log; empty where it is alone.</summary>
    public TargetSession(string name, string mark, ResolvedTarget target, ProducerPlan plan)
    {
        Name = name;
        Target = target;
        _plan = plan;
        _consumers = new IReadOnlyList<PresentConsumer>[plan.Streams];
        Senders =
        [
            .. Enumerable.Range(0, plan.Streams).Select(
                stream => new StreamSender(plan.SenderOf(stream), () => target.OpenLane(plan.LaneOf(stream)))),
        ];
        Recorded = [.. Senders.Select(_ => new RoundTripSeries())];
        Counted = [.. Senders.Select(_ => new StreamCounts())];
        Server = new TargetObservation(target);
        Metrics = ProducerMetrics.Of(this, plan, mark);
    }

    public string Name { get; }

    public ResolvedTarget Target { get; }

    /// <summary>Whether it is here for comparison only: no threshold is held against it.</summary>
    public bool IsFloor { get; init; }

    public IReadOnlyList<StreamSender> Senders { get; }

    /// <summary>Where each stream records its measured phase: the warm-up records elsewhere.</summary>
    public IReadOnlyList<RoundTripSeries> Recorded { get; }

    public IReadOnlyList<StreamCounts> Counted { get; }

    public MetricSet Metrics { get; }

    /// <summary>Where each stream hands over the stamps of what returned; empty for plain counts.</summary>
    public IReadOnlyList<StampRing> Rings { get; private set; } = [];

    /// <summary>Its one-way latency; null for plain counts, and before it is measured.</summary>
    public OneWaySession? OneWay { get; set; }

    public bool IsSelfContained { get; init; }

    /// <summary>Whether no Consumer answered, so that one in this process does.</summary>
    public bool HasOwnConsumer => _own is not null;

    public TargetObservation Server { get; }

    /// <summary>Everybody who answered, each once.</summary>
    public IReadOnlyList<PresentConsumer> Consumers =>
        [.. _consumers.Where(found => found is not null).SelectMany(found => found).DistinctBy(found => found.Id)];

    /// <summary>When the measured phase began, in nanoseconds; 0 before.</summary>
    public long MeasureStart { get; private set; }

    /// <summary>How long messages were sent in the measured phase, in nanoseconds.</summary>
    public long MeasureDuration { get; private set; }

    /// <summary>What the schedule left unanswered at its end.</summary>
    public ScheduleBacklog Queue
    {
        get
        {
            if (!_plan.IsOpenLoop || _plan.IsNoEcho || !IsOver)
                return default;
            var afterEnd = LatencyHistogram.ForLatency();
            foreach (var series in Recorded)
                afterEnd.Add(series.AfterEnd);
            return ScheduleBacklog.Of(afterEnd, RoundTripsFromIntended, _roundTripBeforeNs);
        }
    }

    /// <summary>From when a message was due, with a schedule.</summary>
    public LatencyHistogram RoundTripsFromIntended => Metrics.Series.First(
        series => series.Metric == ProducerMetrics.RoundTripFromIntended).Total;

    /// <summary>How long the schedule asked for, in nanoseconds; in the closed loop as long as it took.</summary>
    public long ScheduledDuration { get; private set; }

    /// <summary>Whether no more messages came back at the end, although the server answers.</summary>
    public bool EndedUnanswered { get; private set; }

    public bool HasMeasured => MeasureStart != 0;

    public bool IsOver { get; private set; }

    /// <summary>
    /// In what time what was sent should have been, in nanoseconds: where the target was given up, all of its schedule.
    /// </summary>
    public double RatedNs =>
        !_plan.IsOpenLoop ? MeasuredNs
        : _isGivenUp ? Math.Max(MeasuredNs, Senders.Sum(sender => sender.Counts.Asked) * 1e9 / _plan.Rate)
        // What is only waited for any more is no part of it.
        : IsOver ? MeasuredNs + Queue.DurationNs
        : Math.Min(MeasuredNs, Math.Min(
            _plan.Measure.Duration?.TotalNanoseconds ?? double.PositiveInfinity,
            _plan.Measure.Messages * 1e9 / _plan.Rate ?? double.PositiveInfinity));

    /// <summary>How many echoes there would be so far had nothing been lost or left unsent.</summary>
    public long Due =>
        Senders.Sum(sender => sender.Owed + (sender.Counts.Unsent * Math.Max(1, sender.Ledgers.Count)));

    public long MeasuredNs =>
        MeasureDuration + (_turnStart is > 0 and var start ? Math.Max(0, MonotonicClock.NowNs() - start) : 0);

    /// <summary>Messages that each consumer says it received, without echoes; null where one does not say.</summary>
    public IEnumerable<long>? Arrived =>
        OneWay is { Pairs: { Count: > 0 } pairs } && pairs.All(pair => pair.ConsumerSeries is not null)
            ? pairs.Select(pair => pair.ConsumerSeries!.Received)
            : null;

    /// <summary>What its server waits for a processor; null where it does not run on this machine.</summary>
    public ProcessorWaits? ServerWaits() => LocalServer.WaitsOf(Name, Server.Facts);

    public void Connect()
    {
        RequireRights();
        foreach (var sender in Senders)
            sender.Connect();
        Server.Poll();
    }

    public void Rendezvous(Action<string> say, IStopToken stop)
    {
        for (var stream = 0; stream < Senders.Count && !stop.IsRequested; stream++)
            _consumers[stream] = FindConsumers(stream, say, stop);
    }

    public void WarmUp(IStopToken stop)
    {
        if (!_plan.HasWarmUp)
            return;
        var start = MonotonicClock.NowNs() + LeadNs;
        var phases = PhasesOf(_plan.WarmUp, isWarmUp: true);
        Run((sender, stream) => sender.Run(From(phases[stream], stream, start), stop.Cancellation));
    }

    /// <summary>Sets everything aside that the measured phase needs: in it nothing shall be allocated.</summary>
    public void Prepare()
    {
        if (!_plan.IsCounter && !_plan.IsNoEcho && !_plan.IsComparison)
        {
            Rings = [.. Senders.Select((_, stream) =>
                StampRing.ForRate(_plan.Rate / _plan.Streams, _consumers[stream]?.Count ?? 1))];
        }

        _measure = PhasesOf(_plan.Measure, isWarmUp: false);
    }

    /// <summary>Sends what counts, and waits for stragglers.</summary>
    /// <param name="stop">Ends it.</param>
    /// <param name="awaitStart">Waits for others, and says when all start; null where there are none.</param>
    public void Measure(IStopToken stop, Func<long>? awaitStart = null)
    {
        try
        {
            MeasureTurn(0, 1, stop, awaitStart);
        }
        finally
        {
            End();
        }

        RequireTargetAtEnd();
    }

    /// <summary>Sends one of so many parts of what counts, and waits for its stragglers.</summary>
    public void MeasureTurn(int turn, int turns, IStopToken stop, Func<long>? awaitStart = null)
    {
        if (!HasMeasured)
        {
            Server.Poll();
            _reportedBefore = AskForWaits();
        }

        var start = _turnStart = Math.Max(awaitStart?.Invoke() ?? 0, MonotonicClock.NowNs() + LeadNs);
        // The closed loop has no schedule that begins by itself.
        if (awaitStart is not null && !_plan.IsOpenLoop)
            Pacer.WaitUntil(start);
        if (!HasMeasured)
            MeasureStart = start;
        var ends = new (long Phase, long Schedule)[Senders.Count];
        try
        {
            Run((sender, stream) =>
            {
                try
                {
                    sender.Run(From(TurnOf(_measure[stream], turn, turns), stream, start), stop.Cancellation);
                    ends[stream] = (sender.PhaseEnd, sender.ScheduleEnd);
                }
                catch
                {
                    ends[stream] = (MonotonicClock.NowNs(), MonotonicClock.NowNs());
                    _isGivenUp = true;
                    throw;
                }

                // On the same thread: the last echoes would wait for another one to start.
                sender.Drain(CancellationToken.None, isEnd: turn + 1 == turns);
            });
        }
        catch (RedisException) when (turn + 1 < turns && _plan.IsOpenLoop)
        {
            // A target that is given up is asked for no less than was planned.
            _isGivenUp = true;
            for (var stream = 0; stream < Senders.Count; stream++)
                Senders[stream].Forgo(LaterThan(turn, turns, _measure[stream].Limit));
            throw;
        }
        finally
        {
            _turnStart = 0;
            _hasEnded |= turn + 1 == turns || _isGivenUp;
            MeasureDuration += Math.Max(1, ends.Max(end => end.Phase) - start);
            ScheduledDuration += Math.Max(1, ends.Max(end => end.Schedule) - start);
        }
    }

    /// <summary>Nothing more is sent; where turns were left out, consumers are told so.</summary>
    public void End()
    {
        if (HasMeasured && !_hasEnded)
            Run((sender, _) => sender.Drain(CancellationToken.None));
        _hasEnded = true;
        IsOver = HasMeasured;
        Server.Poll();
        TakeReportedWaits();
    }

    /// <summary>Counts as missing what has no value; once, when every interval has been taken.</summary>
    public void CountMissing()
    {
        if (!HasMeasured)
            return;
        var due = Due;
        foreach (var series in Metrics.Series)
        {
            series.CountMissing(series.Metric == ProducerMetrics.Lateness
                ? Senders.Sum(sender => sender.Counts.Asked)
                : due);
        }
    }

    /// <summary>Messages due to a consumer had all asked for been sent; where none is sent back, to anyone.</summary>
    public long DueOf(ulong consumer) => Senders.Sum(sender =>
        sender.Ledgers.FirstOrDefault(ledger => ledger.Consumer == consumer) is { } own
            ? Math.Max(0, sender.Counts.Asked - own.FirstSequence)
            : sender.Ledgers.Count == 0 ? sender.Counts.Asked : 0);

    public void Dispose()
    {
        OneWay?.Dispose();
        foreach (var sender in Senders)
            sender.Dispose();
        _own?.Dispose();
    }

    // A consumer counts from when it began to serve: what is asked for is the difference.
    private void TakeReportedWaits()
    {
        if (!HasMeasured || _reportedBefore.Count == 0)
            return;
        var reported =
            from after in AskForWaits()
            join before in _reportedBefore on after.Id equals before.Id
            let waits = after.Content!.Waits!.Since(before.Content!.Waits!)
            where waits is not null
            select ProcessorWaits.Of($"the consumer {ConsumerAdvice.NameOf(after)}", waits);
        Metrics.Waits = [.. Metrics.Waits, .. reported];
        _reportedBefore = [];
    }

    private List<PresentConsumer> AskForWaits()
    {
        List<ulong> reporting =
            [.. Consumers.Where(consumer => consumer.Content?.Waits is not null).Select(consumer => consumer.Id)];
        return reporting.Count == 0
            ? []
            : [.. Senders[0].AskAgain(_plan.Self, reporting).Where(answer => answer.Content?.Waits is not null)];
    }

    private long LaterThan(int turn, int turns, StreamLimit limit)
    {
        var all = limit.Messages ?? (limit.Duration?.TotalSeconds ?? 0) * _plan.Rate / _plan.Streams;
        return (long)Math.Round(all * (turns - turn - 1) / turns);
    }


    // Of each turn the part of a stream: messages are dealt out, time is cut into pieces of one length.
    private static StreamPhase TurnOf(StreamPhase phase, int turn, int turns)
    {
        var (messages, duration) = (phase.Limit.Messages, phase.Limit.Duration);
        return phase with
        {
            Continues = turn > 0,
            Limit = phase.Limit with
            {
                Messages = messages * (turn + 1) / turns - (messages * turn / turns),
                Duration = duration / turns,
            },
        };
    }

    /// <summary>Nothing connected, or nothing answered, at the end: then it was lost, whatever came before.</summary>
    /// <exception cref="TargetLostException">It was.</exception>
    public void RequireTargetAtEnd()
    {
        _own?.ThrowIfFailed();
        if (Senders.FirstOrDefault(sender => sender.EndedDisconnected) is { } disconnected)
        {
            throw new TargetLostException($"{Name}: there was no connection at the end of the measured phase: "
                + disconnected.Outages[^1].Reason);
        }

        var isUnanswered = Senders.Any(sender => sender.EndedUnanswered);
        if (isUnanswered && !Server.IsReached)
        {
            throw new TargetLostException(
                $"{Name}: nothing was answered at the end of the measured phase: {Server.WhyNot}");
        }

        EndedUnanswered = Senders.Any(sender => sender.EndedUnanswered && sender.InFlightAtEnd > 0);
    }

    private void RequireRights()
    {
        var lanes = Enumerable.Range(0, _plan.Streams).Select(_plan.LaneOf).ToList();
        using var control = Target.OpenControl();
        var rights = PubSubRights.Check(
            control,
            [.. lanes.SelectMany(lane => lane.PublishChannels)],
            [.. lanes.SelectMany(lane => lane.SubscribeChannels)]);
        if (!rights.IsSufficient)
            throw new RunRefusedException($"{Target.Endpoint}: {rights.Complaint}");
    }

    private IReadOnlyList<PresentConsumer> FindConsumers(int stream, Action<string> say, IStopToken stop)
    {
        var sender = Senders[stream];
        // One that is there answers within a round trip, and is asked five times. Those of a mesh may be far away, and
        // are not waited for once more.
        var seconds = _plan.IsOfRegions ? 5 : 1;
        var patience = TimeSpan.FromSeconds(Math.Min(seconds, _plan.Options.PeerTimeout.TotalSeconds));
        var found = sender.FindConsumers(_plan.Self, patience, out var search, stop.Cancellation);
        if (found.Count == 0 && stream == 0 && !(_plan.RequiresConsumer || IsSelfContained || search.IsNameTaken)
            && !stop.IsRequested)
        {
            say(ConsumerAdvice.Own(_plan, Target, search));
            _own = new EmbeddedConsumer(Target, _plan);
            found = sender.FindConsumers(
                _plan.Self, _plan.Options.Target.CommandTimeout, out search, stop.Cancellation);
        }

        // Another that came meanwhile answers too, and does not count.
        if (_own is { } own)
            found = [.. found.Where(consumer => _plan.IsCounter || consumer.Id == own.Id)];
        else if (found.Count == 0 && !stop.IsRequested && !_plan.IsOfRegions)
        {
            // Of a Producer that died Consumers hold the name for some seconds more.
            if (!search.IsNameTaken)
                say(ConsumerAdvice.Waiting(_plan, Target, stream, search));
            found = sender.FindConsumers(
                _plan.Self, _plan.Options.PeerTimeout - patience, out search, stop.Cancellation);
        }

        if (search.IsNameTaken)
            throw new RunRefusedException(ConsumerAdvice.NameTaken(_plan));
        // Those in other regions are at the meeting; who does not answer is named by its region.
        if (found.Count == 0 && !stop.IsRequested && !_plan.IsOfRegions)
            throw new RunRefusedException(ConsumerAdvice.Missing(_plan, Target, stream, search));
        _roundTripBeforeNs = Math.Min(_roundTripBeforeNs, search.RoundTripNs);
        return found;
    }

    private List<StreamPhase> PhasesOf(StreamLimit limit, bool isWarmUp) =>
    [
        .. Senders.Select((_, stream) => new StreamPhase
        {
            IsWarmUp = isWarmUp,
            Limit = _plan.ShareOf(limit, stream),
            Start = 0,
            Consumers = [.. _consumers[stream].Select(consumer => consumer.Id)],
            IsClosed = HasOwnConsumer,
            Series = isWarmUp ? new RoundTripSeries() : Recorded[stream],
            Counts = isWarmUp ? new StreamCounts() : Counted[stream],
            Stamps = isWarmUp || Rings.Count == 0 ? null : Rings[stream],
        }),
    ];

    private void Run(Action<StreamSender, int> work) => StreamThreads.Run(Senders, _plan.Options.Cpu, work);

    // Streams that all sent at the same instants would measure each other.
    private StreamPhase From(StreamPhase phase, int stream, long start) =>
        phase with { Start = _plan.IsOpenLoop ? start + (long)(stream * 1e9 / _plan.Rate) : start };
}
