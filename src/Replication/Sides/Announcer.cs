using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Answering;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

internal sealed class Announcer(
    DelayPlan plan, SourceSide side, ulong session, int writers, OwnClock clock)
{
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);

    public OwnClock Clock => clock;

    public string Key => Announcement.KeyOf(plan);

    // A start of zero: the writer waits for a reader.
    public void Announce(KeyQuestions questions, long startNs)
    {
        if (TryAnnounce(questions, startNs, 0) is { } refusal)
            throw new RunRefusedException($"--source {side.Source.Name} takes no keys: {refusal}");
    }

    // Returns why the source does not take it, or null.
    public string? TryAnnounce(KeyQuestions questions, long startNs, long endNs, WritingEnd? end = null)
    {
        var text = new Announcement
        {
            Session = session,
            Kind = Announcement.KindOf(plan),
            Keys = plan.IsContinuous ? 0 : plan.Keys,
            IntervalNs = plan.IntervalNs,
            StartNs = startNs,
            EndNs = endNs,
            End = end,
            ExpiryNs = plan.Options.Expiry.InNanoseconds,
            Source = side.Source.Name,
            Nodes = side.Nodes,
            Shards = side.Shards,
            Writers = writers,
            Region = plan.Options.Identity.Region,
            Clock = ClockIdentity.Read(),
            ProbeKey = clock.RevealKey(),
            Udp = clock.UdpAddress?.ToString(),
        }.Write();
        var life = startNs == 0 || plan.IsContinuous ? ShortLife : plan.Options.Expiry + plan.Planned;
        var reply = questions.Request(
            "SET", Key, text, "PX", FormattableString.Invariant($"{(long)life.TotalMilliseconds}"));
        return reply.IsError ? reply.Text : null;
    }
}

/// <summary>Announces heartbeats over and over, for readers come and go; the key soon goes with its writer.</summary>
internal sealed class RepeatedAnnouncement(Announcer announcer, KeyQuestions questions) : IDisposable
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);

    private readonly long _startNs = MonotonicClock.NowNs();
    private ReporterThread? _thread;
    private int _ticksLeft;

    public void Begin() => announcer.Announce(questions, _startNs);

    public void GoOn() => _thread = new ReporterThread(Tick, _ => AnnounceNowAndThen());

    public void AnnounceEnd(HeartbeatSchedule schedule)
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
            announcer.TryAnnounce(questions, _startNs, endNs);
        }
        catch (RedisException)
        {
            // The heartbeats are not written either, which is reported.
        }
    }
}

internal sealed class OwnClock : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly HostClockWatch _watch = new();
    private readonly ReporterThread _sampling;
    private readonly ProbeKey _key;
    private readonly List<ProbeResponder> _responders = [];

    public OwnClock(ulong session, string run, ProbeAddress? udp, ResolvedTarget control)
    {
        _key = new ProbeSecret().KeyOf(session);
        var options = new ProbeResponderOptions
        {
            Run = session,
            Answerer = session,
            Key = _key,
            Status = () => _watch.Status,
        };
        if (udp is not null)
        {
            if (!ProbeResponder.TryOnUdp(udp, options, out var responder, out var problem))
                throw new RunRefusedException(problem);
            _responders.Add(responder);
            UdpAddress = responder.Address is { IsAnyHost: true } any
                ? any with { Host = Environment.MachineName }
                : responder.Address;
        }

        _responders.Add(ProbeResponder.OnRedis(
            control.Name,
            () => RawLane.Open(control.Endpoint, control.Connection, new LaneOptions
            {
                SubscribeChannels = [ProbeChannels.Questions(run)],
                PublishChannels = [ProbeChannels.Answers(run)],
                MaxPayload = ProbeChannels.LongestMessage,
                ClientName = "redislatency-delay-probe",
            }),
            options));
        _sampling = new ReporterThread(Second, _ => _watch.Sample());
    }

    public ProbeAddress? UdpAddress { get; }

    public string RevealKey() => _key.Reveal();

    public long Answered => _responders.Sum(responder => responder.Counts.Answered);

    public string? Problem =>
        _responders.Select(responder => responder.Problem).FirstOrDefault(text => text is not null);

    public void Dispose()
    {
        _sampling.Dispose();
        _responders.ForEach(responder => responder.Dispose());
        _watch.Dispose();
    }
}
