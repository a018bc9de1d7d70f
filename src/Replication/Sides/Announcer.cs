using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>Tells a writer's readers what there is to read, when it begins and how it ended.</summary>
internal sealed class Announcer(
    DelayPlan plan, WritingPlaces places, WritingSession writing, OwnClock clock, ResolvedTarget source)
{
    private const string AnnouncementLife = "10000";

    private DelayOptions Options => plan.Options;

    public string Key => Announcement.KeyOf(WriterKind.Keys, Options.Prefix, plan.Run);

    public string EndKey => WritingEnd.KeyOf(Options.Prefix, writing.Id);

    public void Announce(KeyQuestions questions, long startNs)
    {
        var text = new Announcement
        {
            Session = writing.Id,
            Keys = plan.Keys,
            IntervalNs = plan.IntervalNs,
            StartNs = startNs,
            ExpiryNs = Options.Expiry.Ticks * TimeSpan.NanosecondsPerTick,
            Source = source.Name,
            Nodes = places.Nodes,
            Shards = places.Shards,
            Writers = writing.Writers,
            IsPublished = Options.Publish,
            Region = Options.Identity.Region,
            Clock = ClockIdentity.Read(),
            ProbeKey = clock.RevealKey(),
            Udp = clock.UdpAddress?.ToString(),
        }.Write();
        var life = startNs == 0 ? AnnouncementLife : Life(Options.Expiry + plan.Planned);
        var reply = questions.Request("SET", Key, text, "PX", life);
        if (reply.IsError)
            throw new RunRefusedException($"--source {source.Name} takes no keys: {reply.Text}");
    }

    public void TellEnd(KeyQuestions questions)
    {
        var end = new WritingEnd(
            [.. writing.KeyWriters.Select(writer => new WrittenKeys(writer.Asked, writer.Unsent, writer.Refused))],
            NeverSentKeys.Of(writing));
        questions.Request("SET", EndKey, end.Write(), "PX", Life(Options.Expiry));
    }

    public void Withdraw(KeyQuestions questions) => questions.Request("SET", Key, string.Empty, "PX", AnnouncementLife);

    private static string Life(TimeSpan time) => FormattableString.Invariant($"{(long)time.TotalMilliseconds}");
}
