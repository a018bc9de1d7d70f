using RedisLatency.Hosting.Results;
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

/// <summary>Meets a writer elsewhere, compares clocks with it, and reads its probes at the destination.</summary>
internal sealed class ReadingSide(DelayPlan plan, RunContext run, SessionEvents events)
    : ProbeSide(plan, run, events, writes: false, reads: true)
{
    // The last is what clocks are asked through, where it is given.
    private readonly IReadOnlyList<ResolvedTarget> _targets = plan.ResolveTargets(
        plan.Options.Control is { } control ? [.. plan.Options.Destinations, control] : plan.Options.Destinations);

    private readonly List<AnnouncedKeys> _keys = [];
    private readonly List<AnnouncedHeartbeats> _beats = [];
    private readonly Lock _settling = new();
    private NodeFacts? _facts;
    private ReachedNodes? _nodes;
    private DiscoveredWriter? _met;
    private ReadIntervals? _corrected;
    private WriterReportPoll? _end;
    private WriterFollowing? _following;
    private long _nowErrorNs;
    private long _windowErrorNs;
    private long _errorNs;

    public override LinkEnds Ends =>
        new(Announced.Source, Destination.Name, Announced.Writer.NamedRegion, Options.Identity.Region);

    public override IReadOnlyList<ResolvedTarget> Targets => _targets;

    public override IReadOnlyList<MeasuredTarget> Servers
    {
        get
        {
            var readings = Session.Destinations[0].Shards;
            return Met.Servers.ToRecord(shard => readings[shard].Destination.Current);
        }
    }

    public override string Clocks => Clock.Describe(ErrorNs);

    public override long ErrorNs => _keys.Select(keys => keys.Delays.ErrorNs).Append(_errorNs).Max();

    public override long NowErrorNs => _nowErrorNs;

    public override long WindowErrorNs => _windowErrorNs;

    public override string? HealthProblem => Clock.HealthProblem;

    public override DirectRoute? Direct => Clock.Direct.Beside(Session.Tally.FromSent.Middle);

    public override ReadIntervals? Corrected => _corrected;

    public override IEnumerable<string> Faults =>
    [
        .. Clock.Faults(
            _keys.Sum(keys => keys.Delays.NegativesBeyondError) + _beats.Sum(beats => beats.NegativesBeyondError),
            _keys.Sum(keys => keys.Delays.Uncorrected)),
        .. GoneFaults(),
    ];

    public override IEnumerable<string> Notes =>
    [
        .. KeyNotes(),
        .. new[] { Announced.Writer.NoteVersion($"The writer of {Announced.Source}") }.OfType<string>(),
        .. Met.Servers.Notes,
    ];

    private ResolvedTarget Destination => _targets[0];

    private ResolvedTarget? Control => _targets.ElementAtOrDefault(1);

    private DiscoveredWriter Met => _met ?? throw new InvalidOperationException("It has found no writer yet.");

    private WriterAnnouncement Announced => Met.Announced;

    private WriterClock Clock => Met.Clock;

    public override void Connect() => InterruptibleStep.Run(
        () =>
        {
            _facts = NodeFacts.Read("--destination", Destination);
            _nodes = ReachedNodes.Open("destination", _facts, Options.Prefix, Events);
        },
        Run.Stop);

    public override bool Meet()
    {
        using var search = Search(Options.PeerTimeout, Run.Stop);
        if (!search.Find(Run.Stop))
            return false;
        _met = new DiscoveredWriter(
            search.Announced, search.Servers,
            new WriterClock(search.TakeClock(), Plan.IsContinuous ? Events : null)
            {
                IsSynthetic = search.Announced.Writer.IsSynthetic == true,
            });
        Take(Announced);
        return true;
    }

    public override void Open()
    {
        Session = NewSession(0);
        var shards = Announced.Shards.Select<AnnouncedShard, IShardProbes>((_, shard) =>
            Session is HeartbeatSession heartbeats ? NewBeats(shard, heartbeats) : NewKeys(shard));
        Session.Read(new ReadDestination(0, Destination, Options.Identity.Region), shards.Zip(Met.Servers.Servers));
        if (!Plan.IsContinuous)
            _corrected = new ReadIntervals(_keys, Session.Destinations[0]);
    }

    public override void Watch()
    {
        if (Session is HeartbeatSession heartbeats)
        {
            _following = new WriterFollowing(
                Plan.Run, Announced, after => Search(TimeSpan.Zero, Session.Ending, after), NoteEnd, Follow,
                heartbeats.End);
            _following.Begin();
        }
        else
        {
            _end = new WriterReportPoll(
                PendingProbes(TimeSpan.Zero, Run.Stop), WriterAnnouncement.KeyOf(Plan), Announced.Session,
                written => _keys.ForEach(keys => keys.End = written));
            _end.Begin();
            ReplicationLog.DelaysAreProvisional(Run.Logger);
        }

        base.Watch();
    }

    public override void EndWatch()
    {
        _following?.Dispose();
        _following = null;
        base.EndWatch();
    }

    public override void Settle(bool isLast)
    {
        lock (_settling)
        {
            _nowErrorNs = Clock.Feed();
            if (isLast)
                Clock.Complete();
            // What is known of keys is known at the end.
            SettleUntil(isLast ? long.MaxValue : Plan.IsContinuous ? Clock.SettledNs : 0);
        }
    }

    public override void BeginWindow() => _windowErrorNs = 0;

    public override Action? Draining(IntervalLogFile log) => _corrected is not { } corrected ? null : () =>
    {
        if (Run.Failure is null)
            _end?.Wait(Options.Deadline);
        Settle(isLast: true);
        corrected.Correct(log);
    };

    public override void Dispose()
    {
        _following?.Dispose();
        _end?.Dispose();
        base.Dispose();
        _met?.Dispose();
        _nodes?.Dispose();
    }

    protected override LinkWatch NewWatch() => new(
        Met.Servers.Servers, [], Met.Servers.PairsWith(Control), Options, Session.Id, Events);

    // To the key that announces the writer.
    private KeyClient PendingProbes(TimeSpan limit, IStopToken stop) =>
        new(Connected(_nodes).LocatorOf(WriterAnnouncement.KeyOf(Plan)), limit, stop);

    private WriterSearch Search(TimeSpan limit, IStopToken stop, ulong? after = null) =>
        new(Plan, Connected(_nodes), Control, Connected(_facts), PendingProbes(limit, stop), Run.Logger)
        {
            After = after,
        };

    // What the writer decides.
    private void Take(WriterAnnouncement announced)
    {
        if (Plan.IsContinuous)
        {
            Options.Continuous.Interval = TimeSpan.FromNanoseconds((long)announced.IntervalNs);
            if (DelayRules.UndecidedPercentile(Options) is { } problem)
                throw new RunRefusedException(problem);
            return;
        }

        (Options.Keys, Options.Rate) = (announced.Keys, 1e9 / announced.IntervalNs);
        var deadline = Options.Deadline.InNanoseconds;
        // A key that expired while the link stood still would count as missing.
        if (announced.ExpiryNs < deadline)
        {
            throw new RunRefusedException(
                $"The writer of {announced.Source} lets its keys live for {Quantity.Duration(announced.ExpiryNs)}, "
                + $"and they are polled for {Quantity.Duration(deadline)}: give delay write a longer --expiry, or a "
                + "shorter --deadline here.");
        }
    }

    private AnnouncedKeys NewKeys(int shard)
    {
        var keys = new AnnouncedKeys(Announced, shard, Clock, Options, Session.Ending);
        _keys.Add(keys);
        return keys;
    }

    private AnnouncedHeartbeats NewBeats(int shard, HeartbeatSession session)
    {
        var beats = new AnnouncedHeartbeats(session.Averages.Add) { UnheardNs = () => Clock.UnheardNs };
        beats.Follow(Announced, shard, Clock.Now, Clock);
        _beats.Add(beats);
        return beats;
    }

    private void SettleUntil(long untilNs)
    {
        Clock.Direct.Settle(Clock, untilNs);
        foreach (var beats in _beats)
        {
            var error = beats.Settle(untilNs);
            (_windowErrorNs, _errorNs) = (Math.Max(_windowErrorNs, error), Math.Max(_errorNs, error));
        }
    }

    private void NoteEnd(long endNs)
    {
        Events.Note("writer-ended", $"source: the writer of {Ends.Source} has ended");
        foreach (var beats in _beats)
            beats.EndAt(endNs);
    }

    private void Follow(WriterAnnouncement another, PeerClock clock)
    {
        lock (_settling)
        {
            // What was found until now is corrected by the clock that it was found by.
            Clock.Complete();
            SettleUntil(long.MaxValue);
            for (var shard = 0; shard < _beats.Count; shard++)
                _beats[shard].Follow(another, shard, clock, Clock);
            Clock.Follow(clock);
            Clock.IsSynthetic |= another.Writer.IsSynthetic == true;
        }

        _met = Met with { Announced = another };
        Events.Note("writer-changed", $"source: another writer of {another.Source} goes on");
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

    private IEnumerable<string> KeyNotes()
    {
        var late = _keys.Sum(keys => keys.Late);
        if (late > 0)
        {
            yield return $"{Quantity.Count(late)} keys were due before the writer was heard of here; they do not "
                + "count.";
        }

        if (_end is { End: null })
            yield return "The writer did not report how it ended: keys that it never sent count as missing.";
    }

    private static T Connected<T>(T? known) => known ?? throw new InvalidOperationException("It is not connected yet.");
}
