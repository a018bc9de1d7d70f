using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Consumer;

/// <summary>What the options mean once every default is settled.</summary>
internal sealed class ConsumerPlan
{
    public ConsumerPlan(ConsumerOptions options)
    {
        Options = options;
        Run = options.Identity.Run ?? RunNames.DefaultRun;
        Instance = options.Identity.Instance ?? RunNames.DefaultInstance;
        Channel = options.Channel ?? RunNames.Ping(Run);
        ReplyChannel = options.ReplyChannel ?? RunNames.Pong(Run);
    }

    public ConsumerOptions Options { get; }

    public RunMember Member(BoundOptions<ConsumerOptions> bound) =>
        new(ServedRecord.Role, Run, Instance, Region, () => bound.Effective);

    /// <summary>Which of several processes this is; null where it serves until it is stopped.</summary>
    /// <exception cref="ConfigurationException">It cannot be.</exception>
    public FleetPlan? FleetOf(ResolvedTarget target, IReadOnlyDictionary<string, string> environment) => FleetPlan.Of(
        Options.Fleet, Options.Target, [target], environment, (Run, FleetCatalogue.Consumer, Instance));

    public string Run { get; }

    public string Instance { get; }

    public string? Region => Options.Identity.Region;

    public string Channel { get; }

    public string ReplyChannel { get; }

    public IReadOnlyList<string> Channels => ChannelsOf(Channel);

    public IReadOnlyList<string> ReplyChannels => ChannelsOf(ReplyChannel);

    /// <summary>A channel on both sides, or null where there is none, as it must be.</summary>
    public string? SharedChannel => Channels.Intersect(ReplyChannels).FirstOrDefault();

    /// <summary>How every stream signs: one consumer, however many streams it has.</summary>
    public ulong Id { get; } = RunIdentity.NewProcess();

    public ClockIdentity Clock { get; } = ClockIdentity.Read();

    public EchoOptions EchoWith(ProbeOffer? offer) => new()
    {
        Instance = Id,
        Self = Announcement.OfThis(Run, ServedRecord.Role, Instance, Region).WithClock(offer) with
        {
            TickNs = ClockTick.MeasureNs(),
        },
        ReconnectLimit = Options.ReconnectTimeout ?? TimeSpan.MaxValue,
    };

    public LaneOptions ProbeLane => ProbeChannels.ToAnswer(Run, "redislatency-probes");

    public LaneOptions LaneOf(int stream) => new()
    {
        SubscribeChannels = [RunNames.ChannelOf(Channel, stream)],
        PublishChannels = [RunNames.ChannelOf(ReplyChannel, stream)],
        BusyPoll = Options.BusyPoll,
        ClientName = "redislatency-consumer",
    };

    private string[] ChannelsOf(string channel) =>
        [.. Enumerable.Range(0, Options.Streams).Select(stream => RunNames.ChannelOf(channel, stream))];
}
