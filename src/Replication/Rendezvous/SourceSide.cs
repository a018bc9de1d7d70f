using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Rendezvous;

internal sealed class SourceSide(DelayPlan plan, SessionEvents events) : IDisposable
{
    private const string Role = "source";

    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);

    private readonly IReadOnlyList<ResolvedTarget> _targets = plan.ResolveTargets(
        [.. new[] { plan.Options.Source, plan.Options.Control ?? plan.Options.Source }.OfType<string>()]);

    private ReachedNodes? _end;
    private IReadOnlyList<NodeFacts> _facts = [];
    private OwnClock? _clock;
    private ulong _session;
    private int _writers;

    public ResolvedTarget Source => _targets[0];

    public ResolvedTarget Control => _targets[1];

    public IReadOnlyList<string> Nodes { get; private set; } = [];
    public IReadOnlyList<AnnouncedShard> Shards { get; private set; } = [];
    public IReadOnlyList<IServerLocator> Places { get; private set; } = [];

    public OwnClock Clock => _clock ?? throw new InvalidOperationException("It does not answer yet.");

    public IReadOnlyList<(string Prefix, IServerLocator Place)> Streams =>
        [.. Shards.Zip(Places, (shard, place) => (shard.Prefix, place))];

    public void Connect(IStopToken stop) => InterruptibleStep.Run(Connect, stop);

    // To the key that announces the writer.
    public KeyQuestions OpenQuestions(TimeSpan limit, IStopToken stop) => new(
        (_end ?? throw new InvalidOperationException("It is not connected yet.")).PlaceOf(Announcement.KeyOf(plan)),
        limit, stop);

    // Answers readers of a session from now on, and can announce it to them.
    public void Answer(ulong session, int writers)
    {
        (_session, _writers) = (session, writers);
        _clock = new OwnClock(
            session, plan.Run, plan.Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, Control);
    }

    // A start of zero: the writer waits for a reader.
    public void Announce(KeyQuestions questions, long startNs)
    {
        if (TryAnnounce(questions, startNs, 0) is { } refusal)
            throw new RunRefusedException($"--source {Source.Name} takes no keys: {refusal}");
    }

    // Returns why the source does not take it, or null.
    public string? TryAnnounce(KeyQuestions questions, long startNs, long endNs, WritingEnd? end = null)
    {
        var text = new Announcement
        {
            Session = _session,
            IsContinuous = plan.IsContinuous,
            Keys = plan.IsContinuous ? 0 : plan.Keys,
            IntervalNs = plan.IntervalNs,
            StartNs = startNs,
            EndNs = endNs,
            End = end,
            ExpiryNs = plan.Options.Expiry.InNanoseconds,
            Source = Source.Name,
            Nodes = Nodes,
            Shards = Shards,
            Writers = _writers,
            Region = plan.Options.Identity.Region,
            Clock = ClockIdentity.Read(),
            ProbeKey = Clock.RevealKey(),
            Udp = Clock.UdpAddress?.ToString(),
        }.Write();
        var life = startNs == 0 || plan.IsContinuous ? ShortLife : plan.Options.Expiry + plan.Planned;
        var milliseconds = FormattableString.Invariant($"{(long)life.TotalMilliseconds}");
        var reply = questions.Request("SET", Announcement.KeyOf(plan), text, "PX", milliseconds);
        return reply.IsError ? reply.Text : null;
    }

    public IReadOnlyList<MeasuredTarget> Servers(Func<int, RedisPipeline> pipelineTo) =>
        NodeFacts.ToRecord(_facts, Places, pipelineTo);

    public void Dispose()
    {
        _clock?.Dispose();
        _end?.Dispose();
    }

    private void Connect()
    {
        var facts = NodeFacts.Read("--source", Source);
        // Any node stands for its cluster.
        if (!facts.IsInCluster)
            facts.RequireSource();
        _end = ReachedNodes.Open(Role, facts, plan.Options.Prefix, events);
        FindPlaces(_end, plan.Options);
        _facts = [.. Places.Select(place => NodeFacts.Read("--source", place.Require()))];
    }

    private void FindPlaces(ReachedNodes end, DelayOptions options)
    {
        if (end.Map is null && options.Shards is null)
        {
            Places = [end.PlaceOf(options.Prefix)];
            Shards = [new AnnouncedShard(options.Prefix, null, Source.Name)];
            return;
        }

        Nodes = end.Map?.NodeIds ?? [];
        ReachedNodes.RequireNoTag(options.Prefix);
        var slots = SharedSlots.Of(end.Map, options.Shards ?? 1);
        Places = [.. slots.Select(one => end.PlaceOf(one.Middle, one.Name, isReplica: false))];
        foreach (var place in Places)
            end.Require(place, options.LinkTimeout);
        Shards =
        [
            .. slots.Zip(Places).Select(one => new AnnouncedShard(
                one.First.PrefixAfter(options.Prefix), one.First, one.Second.Require().Name)),
        ];
    }
}

internal sealed class OwnClock : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly AnsweredClock _clock;
    private readonly ReporterThread _sampling;
    private long _answered;
    private long _answeredNs = MonotonicClock.NowNs();

    public OwnClock(ulong session, string run, ProbeAddress? udp, ResolvedTarget control)
    {
        _clock = new AnsweredClock(session, session);
        if (udp is not null && !_clock.TryListen(udp, out var problem))
            throw new RunRefusedException(problem);
        var lane = ProbeChannels.ToAnswer(run, "redislatency-delay-probe");
        _clock.Listen(control.Name, () => RawLane.Open(control.Endpoint, control.Connection, lane));
        _sampling = new ReporterThread(Second, _ => _clock.Watch.Sample());
    }

    public ProbeAddress? UdpAddress => _clock.OfferedAddress;

    public long Answered => _clock.Answered;

    // For how long nobody had asked when somebody looked.
    public TimeSpan Unasked { get; private set; }

    public string? Problem => _clock.Udp?.Problem ?? _clock.Redis?.Problem;

    public string RevealKey() => _clock.RevealKey();

    public void LookForQuestions()
    {
        var now = MonotonicClock.NowNs();
        if (Answered > _answered)
            (_answered, _answeredNs) = (Answered, now);
        Unasked = TimeSpan.FromNanoseconds(now - _answeredNs);
    }

    public void Dispose()
    {
        _sampling.Dispose();
        _clock.Dispose();
    }
}
