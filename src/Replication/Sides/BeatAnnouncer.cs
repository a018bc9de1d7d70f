using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// Tells all readers, as long as it is there, what heartbeats there are and how to ask for their clock: in a key that
/// is replicated like them, and is gone soon after its writer is.
/// </summary>
internal sealed class BeatAnnouncer : IDisposable
{
    private const string Life = "10000";

    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);

    private readonly HeartbeatSession _session;
    private readonly ResolvedTarget _source;
    private readonly Announcement _announcement;
    private readonly string _key;
    private readonly KeyQuestions _questions;
    private ReporterThread? _thread;
    private int _ticksLeft;

    public BeatAnnouncer(
        HeartbeatPlan plan, WritingPlaces places, HeartbeatSession session, OwnClock clock, ResolvedTarget source)
    {
        (_session, _source) = (session, source);
        _announcement = new Announcement
        {
            Kind = WriterKind.Heartbeats,
            Session = session.Id,
            Keys = 0,
            IntervalNs = plan.IntervalNs,
            StartNs = MonotonicClock.NowNs(),
            ExpiryNs = plan.Options.Expiry.Ticks * TimeSpan.NanosecondsPerTick,
            Source = source.Name,
            Nodes = places.Nodes,
            Shards = places.Shards,
            Writers = places.Shards.Count,
            Region = plan.Options.Identity.Region,
            Clock = ClockIdentity.Read(),
            ProbeKey = clock.RevealKey(),
            Udp = clock.UdpAddress?.ToString(),
        };
        _key = Announcement.KeyOf(WriterKind.Heartbeats, plan.Options.Prefix, plan.Run);
        // A source that is gone is told of by who writes heartbeats there; it is announced again when it is back.
        _questions = new KeyQuestions(places.PlaceOf(_key), TimeSpan.Zero, session.Ending);
    }

    public void Announce()
    {
        if (Set(_announcement) is { } refusal)
            throw new RunRefusedException($"--source {_source.Name} takes no keys: {refusal}");
    }

    public void GoOn() => _thread = new ReporterThread(Tick, _ => TellNowAndThen());

    public void TellEnd()
    {
        _thread?.Dispose();
        _thread = null;
        var schedule = _session.Schedule;
        TryToTell(_announcement with { EndNs = schedule.DueOf(schedule.DueBy(MonotonicClock.NowNs())) });
    }

    public void Dispose()
    {
        _thread?.Dispose();
        _questions.Dispose();
    }

    // About once a second: two writers of one run in step would hide each other from a reader that could tell it.
    private void TellNowAndThen()
    {
        if (--_ticksLeft > 0)
            return;
        _ticksLeft = Random.Shared.Next(5, 16);
        TryToTell(_announcement);
    }

    private void TryToTell(Announcement announcement)
    {
        try
        {
            Set(announcement);
        }
        catch (RedisException)
        {
            // The heartbeats are not written either, which is told.
        }
    }

    private string? Set(Announcement announcement)
    {
        var reply = _questions.Request("SET", _key, announcement.Write(), "PX", Life);
        return reply.IsError ? reply.Text : null;
    }
}
