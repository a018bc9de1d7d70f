using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Peers.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Producer.Measuring;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Producer.OneWay;

// One-way latency through one target: a thread beside the measuring ones follows each consumer's clock, and writes
// what every message took once the offset of its time is final.
internal sealed class OneWaySession : IDisposable
{
    private const int BatchLength = 4_096;
    private const long SecondNs = 1_000_000_000;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private readonly TargetSession _session;
    private readonly ProducerPlan _plan;
    private readonly OneWayOutput _output;
    private readonly HostClockWatch _watch;
    private readonly ClockIdentity _clock;
    private readonly ILogger _logger;
    private readonly OffsetPublisher _publisher;
    private readonly List<OneWayPairRun> _pairs = [];
    private readonly MessageStamps[] _batch = new MessageStamps[BatchLength];
    private readonly ManualResetEvent _stop = new(initialState: false);
    private readonly long _tickNs = ClockTick.MeasureNs();
    private readonly Thread _thread;
    private Exception? _failure;
    private long _heardNs = long.MinValue;
    private bool _isComplete;
    private ProvisionalOneWay? _provisional;
    private readonly Lock _gate = new();

    public OneWaySession(
        TargetSession session,
        ProducerPlan plan,
        OneWayOutput output,
        HostClockWatch watch,
        ClockIdentity clock,
        ILogger logger)
    {
        (_session, _plan, _output, _watch, _clock, _logger) = (session, plan, output, watch, clock, logger);
        _publisher = new OffsetPublisher(
            plan.RunNumber, plan.Producer, () => OpenLane(), () => OpenLane(plan.ReplyChannel));

        IPubSubLane OpenLane(params IReadOnlyList<string> replies) => session.Target.OpenLane(new LaneOptions
        {
            SubscribeChannels = replies,
            PublishChannels = [plan.Channel],
            ClientName = "redislatency-producer-clock",
        });
        foreach (var consumer in session.Consumers)
            Add(consumer.Id);
        _thread = new Thread(Run) { Name = "redislatency-clock", IsBackground = true };
        _thread.Start();
    }

    /// <summary>What was measured, once it is complete.</summary>
    public IReadOnlyList<OneWayPair> Pairs { get; private set; } = [];

    public string? Problem { get; private set; }

    /// <summary>The first consumer's medians so far; for any thread.</summary>
    public ProvisionalOneWay? Provisional
    {
        get
        {
            lock (_gate)
                return _provisional;
        }
    }

    /// <summary>Takes the rest, after the last message was accounted for.</summary>
    public void Complete()
    {
        if (_isComplete)
            return;
        _isComplete = true;
        _stop.Set();
        _thread.Join();
#pragma warning disable CA1031 // The round trips are measured: they shall be reported whatever happens here.
        try
        {
            if (_failure is null)
                Finish();
        }
        catch (Exception failure)
        {
            _failure = failure;
        }
#pragma warning restore CA1031
        if (_failure is null)
            return;
        Problem = $"a fault of this tool: {_failure.Message}";
        ProducerLog.OneWayFailed(_logger, _session.Name, _failure);
    }

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _pairs.ForEach(pair => pair.Clock.Dispose());
        _publisher.Dispose();
        _stop.Dispose();
    }

    private void Run()
    {
#pragma warning disable CA1031 // Told when it is completed.
        try
        {
            do
            {
                Take();
            }
            while (!_stop.WaitOne(Pause));
        }
        catch (Exception failure)
        {
            _failure = failure;
        }
#pragma warning restore CA1031
    }

    private void Take()
    {
        TakeStamps();
        foreach (var pair in _pairs)
            pair.Clock.Feed();
        if (MonotonicClock.NowNs() - SecondNs < _heardNs)
            return;
        _heardNs = MonotonicClock.NowNs();
        Hear();
        foreach (var pair in _pairs)
            TakeWindows(pair, isLast: false);
    }

    private void TakeStamps()
    {
        foreach (var ring in _session.Rings)
        {
            while (ring.Take(_batch) is > 0 and var count)
            {
                var batch = _batch.AsSpan(0, count);
                _output.Keep(batch);
                foreach (ref readonly var stamps in batch)
                    PairOf(stamps.Peer).Clock.Add(stamps);
            }
        }
    }

    private void Hear()
    {
        var status = _watch.Sample();
        foreach (var pair in _pairs)
            pair.Clock.Hear(status, _watch.Claims);
        if (_pairs.Count == 0)
            return;
        lock (_gate)
            _provisional = _pairs[0].Clock.Provisional.Medians;
    }

    private void TakeWindows(OneWayPairRun pair, bool isLast)
    {
        var clock = pair.Clock;
        var isNew = false;
        while (clock.Peer.Tracker.TryTake(out var window))
        {
            clock.History.Add(window);
            clock.Correction.Add(window);
            _output.Clocks.Write(pair.Number, window);
            if (window.IsBounded)
                pair.Told.Add(PublishedWindow.Of(window) with { IsSynthetic = MonotonicClock.IsSynthetic });
            isNew = true;
        }

        while (clock.Correction.TryCorrect(out var interval))
            _output.Write(pair.Tags, interval, _plan.IsOpenLoop);
        if (!pair.TakesOffsets || !(isNew || isLast))
            return;
        _publisher.Publish(clock.Identity.Id, CollectionsMarshal.AsSpan(pair.Told), isLast);

        // What is published may be lost: the latest are told again with the next ones.
        if (pair.Told.Count > OffsetPayload.MostWindows / 2)
            pair.Told.RemoveRange(0, pair.Told.Count - (OffsetPayload.MostWindows / 2));
    }

    private void Finish()
    {
        TakeStamps();
        foreach (var pair in _pairs)
            pair.Clock.Feed();
        var end = PeerClock.HearOut(endNs => _pairs.Exists(pair => pair.Clock.MayHear(endNs)), Take);
        foreach (var pair in _pairs)
            pair.Clock.Peer.StopProbes();
        Hear();
        foreach (var pair in _pairs)
        {
            pair.Clock.Peer.Tracker.Complete(end);
            TakeWindows(pair, isLast: true);
            pair.Clock.Correction.Complete();
        }

        // Where messages come back, this process has measured both ways itself.
        IReadOnlyDictionary<ulong, ForwardFigures> figures = _plan.IsNoEcho && !_session.IsSelfContained
            ? _publisher.Ask([.. _pairs.Where(pair => pair.TakesOffsets).Select(pair => pair.Clock.Identity.Id)])
            : new Dictionary<ulong, ForwardFigures>();
        var overflowed = _session.Rings.Sum(ring => ring.Overflowed);
        var garbage = _session.Senders.Sum(sender => sender.Counts.Garbage);
        Pairs =
        [
            .. _pairs.Select(pair => PairResult.Of(
                pair.Clock,
                figures.TryGetValue(pair.Clock.Identity.Id, out var own) ? own : null,
                _plan.IsOpenLoop,
                _plan.Region is null ? PercentileTable.Percentiles : PercentileTable.BetweenRegions,
                overflowed,
                garbage,
                _session.DueOf(pair.Clock.Identity.Id))),
        ];
    }

    private OneWayPairRun PairOf(ulong consumer)
    {
        foreach (var pair in _pairs)
        {
            if (pair.Clock.Identity.Id == consumer)
                return pair;
        }

        return Add(consumer);
    }

    private OneWayPairRun Add(ulong id)
    {
        var consumer = _session.Consumers.FirstOrDefault(known => known.Id == id);
        var identity = new PairIdentity(
            id,
            consumer is null ? "unexpected" : ConsumerAdvice.NameOf(consumer),
            consumer?.Content?.NamedRegion,
            consumer?.Content?.Clock,
            consumer?.Content?.IsSynthetic ?? false);
        var assumptions = PairAssumptions.Of(_plan.Options.Clocks, _tickNs, consumer?.Content?.TickNs ?? 0);
        var claims = new PairClaims(_clock, identity.Clock, identity.Name, assumptions);
        var (probes, problem) = PairOpening.Open(
            _session.Target, _plan, id, consumer?.Content?.Probe, claims.AreOneClock);
        var clock = new PairClock(identity, claims, assumptions, probes, _output.SpillPathOf(identity))
        {
            ProbeProblem = problem,
        };
        var number = _output.Clocks.AddPair(
            _session.Name, identity.Name, identity.HexadecimalId, identity.Clock, assumptions);
        var pair = new OneWayPairRun(clock, number, new OneWayTags(_session.Metrics.TagOf, _pairs.Count))
        { TakesOffsets = identity.Clock is not null };
        _pairs.Add(pair);
        return pair;
    }
}

/// <summary>A consumer of a run, and where its results go.</summary>
internal sealed class OneWayPairRun(PairClock clock, int number, OneWayTags tags)
{
    public PairClock Clock { get; } = clock;

    public int Number { get; } = number;

    public OneWayTags Tags { get; } = tags;

    /// <summary>Consumers that do not name their clock are older, and can have no forward series.</summary>
    public bool TakesOffsets { get; init; }

    /// <summary>The windows to tell it of, those that it was told last among them.</summary>
    public List<PublishedWindow> Told { get; } = [];
}

/// <summary>Begins to ask a consumer for its time, by the ways that it offers and the options allow.</summary>
internal static class PairOpening
{
    public static (PairProbes? Probes, string? Problem) Open(
        ResolvedTarget target, ProducerPlan plan, ulong consumer, ProbeOffer? offer, bool areOneClock)
    {
        var choice = plan.Options.Clocks.Probe;
        if (choice.Mode == ProbeMode.Off)
            return (null, plan.IsNoEcho ? "neither echoes nor probes: nothing compares the two clocks" : null);
        // Where messages come back, they are probes enough to check a claim; where they do not, nothing else is.
        var isEnough = (areOneClock || offer is null) && !plan.IsNoEcho;
        if (choice.Mode == ProbeMode.Auto && isEnough)
            return (null, null);
        if (offer is null)
            return (null, NoneBut("offers no probes", plan));
        var routes = RoutesOf(target, plan, choice, offer).ToList();
        if (routes.Count == 0)
            return (null, NoneBut("answers no probes through Redis", plan));
        return PairProbes.Ask(offer, plan.RunNumber, consumer, routes, plan.Options.Clocks.ProbeRate) is { } probes
            ? (probes, null)
            : (null, NoneBut("makes an offer of probes that cannot be read", plan));
    }

    private static string NoneBut(string why, ProducerPlan plan) =>
        $"the consumer {why}, so {(plan.IsNoEcho ? "there are none" : "echoes are the only ones")}";

    private static IEnumerable<ProbeRoute> RoutesOf(
        ResolvedTarget target, ProducerPlan plan, ProbeChoice choice, ProbeOffer offer)
    {
        if (choice.Address is { } address)
            yield return ProbeRoute.Udp(address);
        if (offer.Redis)
        {
            yield return ProbeRoute.Redis(
                $"redis {target.Name}",
                () => target.OpenLane(ProbeChannels.ToAsk(plan.Run, "redislatency-producer-probe")));
        }
    }
}
