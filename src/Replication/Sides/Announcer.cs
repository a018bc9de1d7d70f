using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>Tells a writer's readers what there is to read, when it begins and how it ended.</summary>
internal sealed class Announcer(
    DelayPlan plan, WritingPlaces places, ulong session, int writers, OwnClock clock, ResolvedTarget source)
{
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);

    private readonly WriterKind _kind = plan.IsContinuous ? WriterKind.Heartbeats : WriterKind.Keys;

    public OwnClock Clock => clock;

    public string Key => Announcement.KeyOf(_kind, plan.Options.Prefix, plan.Run);

    public string EndKey => WritingEnd.KeyOf(plan.Options.Prefix, session);

    // A start of zero: the writer waits for a reader.
    public void Announce(KeyQuestions questions, long startNs)
    {
        if (TryAnnounce(questions, startNs, 0) is { } refusal)
            throw new RunRefusedException($"--source {source.Name} takes no keys: {refusal}");
    }

    // Returns why the source does not take it, or null.
    public string? TryAnnounce(KeyQuestions questions, long startNs, long endNs)
    {
        var text = new Announcement
        {
            Session = session,
            Kind = _kind,
            Keys = plan.IsContinuous ? 0 : plan.Keys,
            IntervalNs = plan.IntervalNs,
            StartNs = startNs,
            EndNs = endNs,
            ExpiryNs = plan.Options.Expiry.InNanoseconds,
            Source = source.Name,
            Nodes = places.Nodes,
            Shards = places.Shards,
            Writers = writers,
            Region = plan.Options.Identity.Region,
            Clock = ClockIdentity.Read(),
            ProbeKey = clock.RevealKey(),
            Udp = clock.UdpAddress?.ToString(),
        }.Write();
        var isShort = startNs == 0 || plan.IsContinuous;
        var reply = questions.Request(
            "SET", Key, text, "PX", Life(isShort ? ShortLife : plan.Options.Expiry + plan.Planned));
        return reply.IsError ? reply.Text : null;
    }

    public void TellEnd(KeyQuestions questions, WritingSession writing)
    {
        var end = new WritingEnd(
            [.. writing.KeyWriters.Select(writer => new WrittenKeys(writer.Asked, writer.Unsent, writer.Refused))],
            NeverSentKeys.Of(writing));
        questions.Request("SET", EndKey, end.Write(), "PX", Life(plan.Options.Expiry));
    }

    // Who polls from now on waits for another writer.
    public void Withdraw(KeyQuestions questions) =>
        questions.Request("SET", Key, string.Empty, "PX", Life(ShortLife));

    private static string Life(TimeSpan time) => FormattableString.Invariant($"{(long)time.TotalMilliseconds}");
}

/// <summary>Announces heartbeats over and over, for readers come and go; the key soon goes with its writer.</summary>
internal sealed class RepeatedAnnouncement(Announcer announcer, KeyQuestions questions) : IDisposable
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);

    private readonly long _startNs = MonotonicClock.NowNs();
    private ReporterThread? _thread;
    private int _ticksLeft;

    public void Begin() => announcer.Announce(questions, _startNs);

    public void GoOn() => _thread = new ReporterThread(Tick, _ => TellNowAndThen());

    public void TellEnd(HeartbeatSchedule schedule)
    {
        _thread?.Dispose();
        _thread = null;
        TryToTell(schedule.DueOf(schedule.DueBy(MonotonicClock.NowNs())));
    }

    public void Dispose()
    {
        _thread?.Dispose();
        questions.Dispose();
    }

    // About once a second: two writers of one run in step would hide each other from a reader that could tell it.
    private void TellNowAndThen()
    {
        if (--_ticksLeft > 0)
            return;
        _ticksLeft = Random.Shared.Next(5, 16);
        TryToTell(0);
    }

    private void TryToTell(long endNs)
    {
        try
        {
            announcer.TryAnnounce(questions, _startNs, endNs);
        }
        catch (RedisException)
        {
            // The heartbeats are not written either, which is told.
        }
    }
}
