using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>Writes at the source, announces that, and answers those who read elsewhere.</summary>
internal sealed class WritingSide(DelayPlan plan, RunContext run, SessionEvents events)
    : ProbeSide(plan, run, events, writes: true, reads: false)
{
    // So many of a clock make it known well enough.
    public const int EnoughAnswers = 20;

    private static readonly TimeSpan Lead = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan BetweenAnnouncements = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    private readonly IReadOnlyList<ResolvedTarget> _targets = plan.ResolveTargets(
        [.. new[] { plan.Options.Source, plan.Options.Control ?? plan.Options.Source }.OfType<string>()]);

    private ReachedNodes? _nodes;
    private IReadOnlyList<NodeFacts> _facts = [];
    private IReadOnlyList<string> _nodeIds = [];
    private IReadOnlyList<AnnouncedShard> _shards = [];
    private IReadOnlyList<IServerLocator> _sources = [];
    private LocalClock? _clock;
    private RepeatedAnnouncement? _announcement;

    public override LinkEnds Ends => new(Source.Name, "another process", Options.Identity.Region, null);

    // The last is what clocks are asked through.
    public override IReadOnlyList<ResolvedTarget> Targets => _targets;

    public override IReadOnlyList<MeasuredTarget> Servers =>
        NodeFacts.ToRecord(_facts, _sources, stream => Session.PipelineTo(stream));

    public override string Title => $"{Source.Name} written";

    public override string Reading => Ends.Destination;

    public override string Clocks => $"this clock was asked {Quantity.Count(Clock.Answered)} times";

    public override IEnumerable<string> Notes =>
    [
        "Written here and read elsewhere: the delays are in "
            + (Plan.IsContinuous ? "the results of delay read --continuous." : "the result of delay read."),
        .. base.Notes, .. ReaderNotes(),
    ];

    private ResolvedTarget Source => _targets[0];

    private LocalClock Clock => _clock ?? throw new InvalidOperationException("It does not answer yet.");

    public override void Connect() => InterruptibleStep.Run(
        () =>
        {
            var facts = NodeFacts.Read("--source", Source);
            // Any node stands for its cluster.
            if (!facts.IsInCluster)
                facts.RequireSource();
            _nodes = ReachedNodes.Open("source", facts, Options.Prefix, Events);
            FindShards(_nodes);
            _facts = [.. _sources.Select(source => NodeFacts.Read("--source", source.Require()))];
        },
        Run.Stop);

    // Readers of heartbeats may come and go; keys begin when their one reader is there.
    public override bool Meet()
    {
        Session = NewSession(Plan.Keys);
        Session.Write([.. _shards.Zip(_sources, (shard, source) => new KeyStream(shard.Slots, shard.Prefix, source))]);
        _clock = new LocalClock(
            Session.Id, Plan.Run, Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, _targets[1]);
        if (!Plan.IsContinuous)
            return AwaitReader();
        // A lost source is reported by who writes heartbeats there; it is announced again when it is back.
        _announcement = new RepeatedAnnouncement(this, PendingProbes(TimeSpan.Zero, Session.Ending));
        // What the source does not take is reported before it begins.
        _announcement.Begin();
        ReplicationLog.Announced(Run.Logger, Plan.Run, Source.Name);
        return !Run.Stop.IsRequested;
    }

    public override void Watch()
    {
        _announcement?.GoOn();
        base.Watch();
    }

    public override void EndWatch()
    {
        _announcement?.AnnounceEnd(Session.Schedule);
        base.EndWatch();
    }

    public override long Begin()
    {
        if (Plan.IsContinuous)
            return base.Begin();
        using var questions = PendingProbes();
        var start = MonotonicClock.NowNs() + Lead.InNanoseconds;
        Announce(questions, start);
        return start;
    }

    public override void Settle(bool isLast) => Clock.NoteQuestions();

    public override Action? Draining(IntervalLogFile log) =>
        Session is KeySession keys ? () => AwaitEndOfReader(keys) : null;

    // A start of zero: the writer waits for a reader.
    public void Announce(KeyClient questions, long startNs)
    {
        if (TryAnnounce(questions, startNs, 0) is { } refusal)
            throw new RunRefusedException($"--source {Source.Name} takes no keys: {refusal}");
    }

    // Returns why the source does not take it, or null.
    public string? TryAnnounce(KeyClient questions, long startNs, long endNs, WriterReport? end = null)
    {
        var text = new WriterAnnouncement
        {
            Writer = Announcement
                .OfThis(Plan.Run, "writer", Plan.Instance, Options.Identity.Region).WithClock(Clock.Offer),
            Session = Session.Id,
            IsContinuous = Plan.IsContinuous,
            Keys = Plan.IsContinuous ? 0 : Plan.Keys,
            IntervalNs = Plan.IntervalNs,
            StartNs = startNs,
            EndNs = endNs,
            End = end,
            ExpiryNs = Options.Expiry.InNanoseconds,
            Source = Source.Name,
            Nodes = _nodeIds,
            Shards = _shards,
            Writers = Session.Writers.Count,
        }.Write();
        var life = startNs == 0 || Plan.IsContinuous ? ShortLife : Options.Expiry + Plan.Planned;
        var milliseconds = FormattableString.Invariant($"{(long)life.TotalMilliseconds}");
        var reply = questions.Request("SET", WriterAnnouncement.KeyOf(Plan), text, "PX", milliseconds);
        return reply.IsError ? reply.Text : null;
    }

    public override void Dispose()
    {
        _announcement?.Dispose();
        base.Dispose();
        _clock?.Dispose();
        _nodes?.Dispose();
    }

    protected override LinkWatch NewWatch() => new(_sources, Session.Streams, [], Options, Session.Id, Events);

    private void FindShards(ReachedNodes nodes)
    {
        if (nodes.Map is null && Options.Shards is null)
        {
            _sources = [nodes.LocatorOf(Options.Prefix)];
            _shards = [new AnnouncedShard(Options.Prefix, null, Source.Name)];
            return;
        }

        _nodeIds = nodes.Map?.NodeIds ?? [];
        ReachedNodes.RequireNoTag(Options.Prefix);
        var slots = SharedSlots.Of(nodes.Map, Options.Shards ?? 1);
        _sources = [.. slots.Select(one => nodes.LocatorOf(one.Middle, one.Name, isReplica: false))];
        foreach (var source in _sources)
            nodes.Require(source, Options.LinkTimeout);
        _shards =
        [
            .. slots.Zip(_sources, (one, source) => new AnnouncedShard(
                one.PrefixAfter(Options.Prefix), one, source.Require().Name)),
        ];
    }

    private bool AwaitReader()
    {
        ReplicationLog.WaitingForReader(Run.Logger, Plan.Run);
        using var questions = PendingProbes();
        var begin = MonotonicClock.NowNs();
        while (Clock.Answered < EnoughAnswers)
        {
            Announce(questions, 0);
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.InNanoseconds)
            {
                throw new RunRefusedException(
                    $"No reader of run {Plan.Run} asked for this clock's time within "
                    + $"{Quantity.Duration(Options.PeerTimeout.InNanoseconds)}. Start delay read with "
                    + $"--run {Plan.Run} where keys are replicated to, and let it reach this clock: by --control, or "
                    + $"by --probe here.{(Clock.Problem is { } problem ? $" {problem}" : string.Empty)}");
            }

            // Two writers of one run in step would hide each other from a reader that could tell it.
            if (Run.Stop.WaitUntilRequested(BetweenAnnouncements * (0.5 + Random.Shared.NextDouble())))
                return false;
        }

        return true;
    }

    // The reader asks until its last key is accounted for.
    private void AwaitEndOfReader(KeySession keys)
    {
        using (var questions = PendingProbes())
            TryAnnounce(questions, keys.Schedule.StartNs, MonotonicClock.NowNs(), WriterReport.Of(keys));
        if (Run is { Stop.IsRequested: false, Failure: null })
            ReplicationLog.WaitingForReaderToEnd(Run.Logger);
        var answered = Clock.Answered;
        var last = MonotonicClock.NowNs();
        while (MonotonicClock.NowNs() - last < Silence.InNanoseconds
            && !Run.Stop.WaitUntilRequested(BetweenAnnouncements))
        {
            if (Clock.Answered == answered)
                continue;
            answered = Clock.Answered;
            last = MonotonicClock.NowNs();
        }
    }

    // Who reads keys asks many times a second, to the last one.
    private IEnumerable<string> ReaderNotes()
    {
        if (Plan.IsContinuous && Clock.Problem is { } problem)
            yield return $"Asking for this clock's time: {problem}";
        if (!Plan.IsContinuous && Clock.Unasked > Silence)
        {
            yield return "No reader had asked for this clock's time for "
                + $"{Quantity.Duration(Clock.Unasked.TotalNanoseconds)} when writing ended: it was gone.";
        }
    }

    // Who has lost the source already does not wait for it once more.
    private KeyClient PendingProbes() =>
        PendingProbes(Run.Failure is null ? Options.ReconnectTimeout : TimeSpan.Zero, Run.Stop);

    // To the key that announces the writer.
    private KeyClient PendingProbes(TimeSpan limit, IStopToken stop) => new(
        (_nodes ?? throw new InvalidOperationException("It is not connected yet."))
            .LocatorOf(WriterAnnouncement.KeyOf(Plan)),
        limit, stop);
}

/// <summary>Announces heartbeats over and over, for readers come and go; the key soon goes with its writer.</summary>
internal sealed class RepeatedAnnouncement(WritingSide side, KeyClient questions) : IDisposable
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);

    private readonly long _startNs = MonotonicClock.NowNs();
    private ReporterThread? _thread;
    private int _ticksLeft;

    public void Begin() => side.Announce(questions, _startNs);

    public void GoOn() => _thread = new ReporterThread(Tick, _ => AnnounceNowAndThen());

    public void AnnounceEnd(ProbeSchedule schedule)
    {
        _thread?.Dispose();
        _thread = null;
        TryToAnnounce(schedule.DueOf(schedule.DueBy(MonotonicClock.NowNs())));
    }

    public void Dispose()
    {
        _thread?.Dispose();
        questions.Dispose();
    }

    // About once a second: two writers of one run in step would hide each other from a reader that could tell it.
    private void AnnounceNowAndThen()
    {
        if (--_ticksLeft > 0)
            return;
        _ticksLeft = Random.Shared.Next(5, 16);
        TryToAnnounce(0);
    }

    private void TryToAnnounce(long endNs)
    {
        try
        {
            side.TryAnnounce(questions, _startNs, endNs);
        }
        catch (RedisException)
        {
            // The heartbeats are not written either, which is reported.
        }
    }
}
