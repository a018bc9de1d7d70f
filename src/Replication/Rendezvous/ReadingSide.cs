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
    private Announcement? _announced;
    private DestinationServers? _places;
    private SettledClock? _clock;
    private HeartbeatSession? _session;
    private WriterFollowing? _following;
    private NodeWatchers? _watch;
    private OffsetLag? _lag;

    public override LinkEnds Ends => new(
        _announced?.Source ?? "another process", _side.Destination.Name, _announced?.Region, Options.Identity.Region);

    public override IReadOnlyList<ResolvedTarget> Targets => _side.Targets;

    public override string Clocks => Clock.Describe(Session.ErrorNs);

    public override string? HealthProblem => _clock?.HealthProblem;

    public override LagBytes? Lag => _lag?.Result;

    public override DirectRoute? Direct => Clock.Direct.Beside(Session.Delays.FromSent.Middle);

    public override IEnumerable<string> Faults => [.. Clock.Faults, .. NegativeFaults(), .. GoneFaults()];

    public override IEnumerable<string> Notes => Places.Notes;

    private DelayOptions Options => plan.Options;

    private Announcement Announced => _announced ?? throw NotYet();

    private DestinationServers Places => _places ?? throw NotYet();

    private SettledClock Clock => _clock ?? throw NotYet();

    private HeartbeatSession Session => _session ?? throw NotYet();

    public override void Connect(IStopToken stop) => _side.Connect(stop);

    public override HeartbeatSession? Open(Action<long, long> found, IStopToken stop)
    {
        using var search = _side.Search(place => new KeyQuestions(place, Options.PeerTimeout, stop), run.Logger);
        if (!search.Find(stop))
            return null;
        (_announced, _places) = (search.Announced, search.Places);
        Options.Continuous.Interval = TimeSpan.FromNanoseconds((long)_announced.IntervalNs);
        if (DelayRules.UndecidedPercentile(Options) is { } problem)
            throw new RunRefusedException(problem);
        _clock = new SettledClock(search.TakeClock(), events);
        _session = new HeartbeatSession(plan, events, stop, session =>
        {
            for (var shard = 0; shard < _announced.Shards.Count; shard++)
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
            Announced,
            after => _side.Search(place => new KeyQuestions(place, TimeSpan.Zero, session.Ending), run.Logger, after),
            NoteEnd,
            Follow,
            session.End);
        _following.Begin();
        _watch = new NodeWatchers(Places.Places, Options.WatchInterval, events);
        _lag = Places.LagBehind(_side.Control, Options.WatchInterval);
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
        Source = Announced.Shards[way].Source,
        Destination = Places.Places[way].LastName,
    };

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) =>
        Places.ToRecord(way => session.Ways[way].Destination!.Current);

    public override void Dispose()
    {
        EndWatch();
        _clock?.Dispose();
        _side.Dispose();
    }

    private void Open(int shard, HeartbeatSession session, Action<long, long> found)
    {
        var place = Places.Places[shard];
        var beats = new AnnouncedHeartbeats(found) { UnheardNs = () => Clock.UnheardNs };
        beats.Follow(Announced, shard, Clock.Now, Clock);
        _beats.Add(beats);
        // The map of a cluster may be older here than where its writer is.
        session.Add(Announced.Shards[shard].Slots, beats).Read(place, isGuarded: place.IsReplica);
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

        _announced = another;
        events.Note("writer-changed", $"source: another writer of {another.Source} goes on");
    }

    private IEnumerable<string> NegativeFaults()
    {
        var negative = _beats.Sum(beats => beats.NegativesBeyondError);
        if (negative > 0)
            yield return DelayVerdict.Negative(negative);
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
