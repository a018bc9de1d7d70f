using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Clocks;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Rendezvous;

internal sealed class ReadingSide(DelayPlan plan, RunContext run, SessionEvents events)
    : HeartbeatSide(writes: false, reads: true)
{
    private readonly List<AnnouncedHeartbeats> _beats = [];
    private readonly Lock _settling = new();
    private readonly DestinationSide _side = new(plan, events);
    private MetWriter? _met;
    private HeartbeatSession? _session;
    private WriterFollowing? _following;
    private NodeWatchers? _watch;
    private OffsetLag? _lag;

    public override LinkEnds Ends => new(
        Met.Announced.Source, _side.Destination.Name, Met.Announced.Region, Options.Identity.Region);

    public override IReadOnlyList<ResolvedTarget> Targets => _side.Targets;

    public override string Clocks => Clock.Describe(Session.ErrorNs);

    public override string? HealthProblem => Clock.HealthProblem;

    public override LagBytes? Lag => _lag?.Result;

    public override DirectRoute? Direct => Clock.Direct.Beside(Session.Delays.FromSent.Middle);

    public override IEnumerable<string> Faults =>
        [.. Clock.Faults(_beats.Sum(beats => beats.NegativesBeyondError)), .. GoneFaults()];

    public override IEnumerable<string> Notes => Met.Places.Notes;

    private DelayOptions Options => plan.Options;

    private MetWriter Met => _met ?? throw NotYet();

    private SettledClock Clock => Met.Clock;

    private HeartbeatSession Session => _session ?? throw NotYet();

    public override void Connect(IStopToken stop) => _side.Connect(stop);

    public override HeartbeatSession? Open(Action<long, long> found, IStopToken stop)
    {
        _met = _side.Meet(Options.PeerTimeout, stop, run.Logger);
        if (_met is null)
            return null;
        Options.Continuous.Interval = TimeSpan.FromNanoseconds((long)Met.Announced.IntervalNs);
        if (DelayRules.UndecidedPercentile(Options) is { } problem)
            throw new RunRefusedException(problem);
        _session = new HeartbeatSession(plan, events, stop, session =>
        {
            for (var shard = 0; shard < Met.Announced.Shards.Count; shard++)
                Open(shard, session, found);
        })
        {
            Settling = Settle,
        };
        return _session;
    }

    public override void Watch(HeartbeatSession session)
    {
        _following = new WriterFollowing(
            plan.Run,
            Met.Announced,
            after => _side.Search(TimeSpan.Zero, session.Ending, run.Logger, after),
            NoteEnd,
            Follow,
            session.End);
        _following.Begin();
        _watch = new NodeWatchers(Met.Places.Places, Options.WatchInterval, events);
        _lag = Met.Places.LagBehind(_side.Control, Options.WatchInterval);
    }

    public override void EndWatch()
    {
        _following?.Dispose();
        _watch?.Dispose();
        _lag?.Dispose();
        (_following, _watch) = (null, null);
    }

    public override LinkEnds EndsOf(int way) => Ends with
    {
        Source = Met.Announced.Shards[way].Source,
        Destination = Met.Places.Places[way].LastName,
    };

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) =>
        Met.Places.ToRecord(way => session.Ways[way].Destination!.Current);

    public override void Dispose()
    {
        EndWatch();
        _met?.Dispose();
        _side.Dispose();
    }

    private void Open(int shard, HeartbeatSession session, Action<long, long> found)
    {
        var place = Met.Places.Places[shard];
        var beats = new AnnouncedHeartbeats(found) { UnheardNs = () => Clock.UnheardNs };
        beats.Follow(Met.Announced, shard, Clock.Now, Clock);
        _beats.Add(beats);
        // The map of a cluster may be older here than where its writer is.
        session.Add(Met.Announced.Shards[shard].Slots, beats).Read(place, isGuarded: place.IsReplica);
    }

    private void Settle(bool isLast)
    {
        lock (_settling)
        {
            Session.NowErrorNs = Clock.Feed();
            if (isLast)
                Clock.Complete();
            SettleUntil(isLast ? long.MaxValue : Clock.SettledNs);
        }
    }

    private void SettleUntil(long untilNs)
    {
        Clock.Direct.Settle(Clock, untilNs);
        foreach (var beats in _beats)
            Session.NoteError(beats.Settle(untilNs));
    }

    private void NoteEnd(long endNs)
    {
        events.Note("writer-ended", $"source: the writer of {Ends.Source} has ended");
        foreach (var beats in _beats)
            beats.EndAt(endNs);
    }

    private void Follow(Announcement another, PeerClock clock)
    {
        lock (_settling)
        {
            // What was found until now is corrected by the clock that it was found by.
            Clock.Complete();
            SettleUntil(long.MaxValue);
            for (var shard = 0; shard < _beats.Count; shard++)
                _beats[shard].Follow(another, shard, clock, Clock);
            Clock.Follow(clock);
        }

        _met = Met with { Announced = another };
        events.Note("writer-changed", $"source: another writer of {another.Source} goes on");
    }

    private IEnumerable<string> GoneFaults()
    {
        if (_beats.Exists(beats => beats.IsWriterGone))
        {
            yield return "The writer had answered nothing for "
                + $"{Quantity.Duration(Clock.UnheardNs)} at the end: it is gone, or not reached. What would have "
                + "been due since its last heartbeat that was seen counts as unsent.";
        }
    }

    private static InvalidOperationException NotYet() => new("It has found no writer yet.");
}
