using System.Globalization;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.Sending;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Output;

namespace RedisLatency.Producer;

/// <summary>What the options mean once every default is settled.</summary>
internal sealed class ProducerPlan
{
    public const string Role = FleetCatalogue.Producer;

    private const long DefaultClosedLoopIterations = 1_000;
    private const long DefaultClosedLoopWarmUp = 200;
    private const long DefaultOpenLoopWarmUp = 10_000;
    private static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan DefaultWarmUpTime = TimeSpan.FromSeconds(2);

    // At 200 messages a second ten thousand would take 50 s, which nobody expects.
    private static readonly TimeSpan LongestDefaultWarmUp = TimeSpan.FromSeconds(10);

    /// <summary>Plain counts go one by one unless somebody set the rate.</summary>
    public ProducerPlan(ProducerOptions options, bool rateIsGiven)
    {
        Options = options;
        IsCounter = options.Payload == PayloadForm.Counter;
        Rate = IsCounter && !rateIsGiven ? 0 : options.Rate;
        Run = options.Identity.Run ?? RunNames.DefaultRun;
        Instance = options.Identity.Instance ?? RunNames.DefaultInstance;
        RunNumber = RunIdentity.OfRun(Run);
        Channel = options.Channel ?? (IsCounter ? "ping" : RunNames.Ping(Run));
        ReplyChannel = options.ReplyChannel ?? (IsCounter ? "pong" : RunNames.Pong(Run));
        Measure = new StreamLimit(
            options.Iterations ?? (Rate == 0 && options.Duration is null ? DefaultClosedLoopIterations : null),
            options.Duration ?? (Rate > 0 && options.Iterations is null ? DefaultDuration : null));
        WarmUp = options.WarmUp switch
        {
            { } given => new StreamLimit(given.Messages, given.Duration),
            null when Rate == 0 => new StreamLimit(DefaultClosedLoopWarmUp, null),
            null => new StreamLimit(
                (long)Math.Min(DefaultOpenLoopWarmUp, Math.Ceiling(Rate * LongestDefaultWarmUp.TotalSeconds)),
                DefaultWarmUpTime, UntilBoth: true),
        };
    }

    public static ProducerPlan Of(BoundOptions<ProducerOptions> bound) =>
        new(bound.Values, bound.IsGiven("--rate"))
        {
            RequiresConsumer = IsInRegions(bound.Values) || (bound.Values.Consumer is { } use
                ? use == ConsumerUse.Required
                : bound.IsGiven("--peer-timeout") || bound.Values.Clocks is { Probe.Address: not null }
                    or { Echo: EchoMode.Off } or { FloorDistance: not null } or { FloorTime: not null }
                    || bound.Values.Fleet.MembersOf(FleetCatalogue.Consumer) > 0),
            // Of a run in regions it is that of the meeting already.
            HasPeerTimeout = !IsInRegions(bound.Values) && bound.IsGiven("--peer-timeout"),
        };

    /// <summary>Which of several processes this is; null where it measures alone.</summary>
    /// <exception cref="ConfigurationException">It cannot be.</exception>
    public FleetPlan? FleetOf(
        IReadOnlyList<ResolvedTarget> targets, IReadOnlyDictionary<string, string> environment)
    {
        if (HasPeerTimeout)
            Options.Fleet.PeerTimeout = Options.PeerTimeout;
        return FleetPlan.Of(
            Options.Fleet, Options.Target, targets, environment,
            (Run, IsOfRegions ? Region! : Role, Instance));
    }

    public ProducerOptions Options { get; }

    public string Run { get; }

    public string Instance { get; }

    public string? Region => Options.Identity.Region;

    /// <summary>Whether it measures with a process in each of several regions, and answers them.</summary>
    public bool IsOfRegions => IsInRegions(Options);

    public RunMember Member(BoundOptions<ProducerOptions> bound) =>
        new(Role, Run, Instance, Region, () => bound.Effective);

    public ulong RunNumber { get; }

    public ulong Producer { get; } = RunIdentity.NewProcess();

    public string Channel { get; }

    public string ReplyChannel { get; }

    public bool IsCounter { get; }

    /// <summary>Whether a Consumer elsewhere must answer, as was said, or as an option is about one.</summary>
    public bool RequiresConsumer { get; private init; }

    private bool HasPeerTimeout { get; init; }

    /// <summary>Whether nobody named a server.</summary>
    public bool IsServerless => Options.Target.Given.Count == 0;

    /// <summary>Whether two servers are measured in turns.</summary>
    public bool IsComparison => Options.Target.Endpoints.Count > 1;

    /// <summary>In how many turns each of them.</summary>
    public int Turns => TurnOrder.TurnsOf(
        Measure.Duration ?? (Rate > 0 ? TimeSpan.FromSeconds((Measure.Messages ?? 0) / Rate) : null),
        Measure.Messages ?? (Rate > 0 ? Rate * Measure.Duration?.TotalSeconds : null));

    /// <summary>Whether consumers keep the messages to themselves.</summary>
    public bool IsNoEcho => Options.Clocks.Echo == EchoMode.Off;

    /// <summary>Messages per second over all streams; 0 in the closed loop.</summary>
    public double Rate { get; }

    public bool IsOpenLoop => Rate > 0;

    public int Streams => Options.Streams;

    /// <summary>How much is measured, over all streams.</summary>
    public StreamLimit Measure { get; }

    /// <summary>How much comes before it, over all streams.</summary>
    public StreamLimit WarmUp { get; }

    public bool HasWarmUp => WarmUp is not ({ Messages: 0 } or { Duration.Ticks: 0 });

    /// <summary>How long so many warm-ups take, one after the other; of a closed loop how much they send.</summary>
    public string WarmUpLength(int count)
    {
        var (messages, duration) = (WarmUp.Messages * count, WarmUp.Duration?.TotalSeconds * count);
        var bySchedule = Rate > 0 ? messages / Rate : null;
        var seconds = WarmUp.UntilBoth ? Larger(bySchedule, duration) : -Larger(-bySchedule, -duration);
        return seconds is { } known
            ? string.Create(CultureInfo.InvariantCulture, $"about {known:0.#} s")
            : $"{Quantity.Count(messages ?? 0)} messages";

        static double? Larger(double? one, double? other) =>
            one is null ? other : other is null ? one : Math.Max(one.Value, other.Value);
    }

    public Announcement Self => Announcement.OfThis(Run, Role, Instance, Region);

    public SenderOptions SenderOf(int stream) => new()
    {
        Run = RunNumber,
        Producer = Producer,
        Stream = stream,
        Rate = Rate / Streams,
        Arrival = Options.Arrival,
        PayloadSize = new PayloadSize((int)Options.PayloadSize.Least, (int)Options.PayloadSize.Most),
        IsCounter = IsCounter,
        NoEcho = IsNoEcho,
        SharesChannels = IsOfRegions || Options.Fleet.MembersOf(Role) > 1,
        OffsetFollows = !IsCounter,
        MaxInFlight = Options.MaxInFlight,
        ReceiveDeadline = Options.ReceiveDeadline,
        ReconnectLimit = Options.ReconnectTimeout,
        Seed = Options.Seed + stream,
    };

    /// <summary>A stream's share of a limit: messages are dealt out, time is the same for all.</summary>
    public StreamLimit ShareOf(StreamLimit limit, int stream) => limit with
    {
        Messages = limit.Messages is { } messages
            ? (messages / Streams) + (stream < messages % Streams ? 1 : 0)
            : null,
    };

    public LaneOptions LaneOf(int stream) => new()
    {
        PublishChannels = [RunNames.ChannelOf(Channel, stream)],
        SubscribeChannels = [RunNames.ChannelOf(ReplyChannel, stream)],
        BusyPoll = Options.BusyPoll,
        ClientName = "redislatency-producer",
    };

    private static bool IsInRegions(ProducerOptions options) => options.Fleet.Regions is not null;
}
