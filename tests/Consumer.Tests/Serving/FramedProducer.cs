using RedisLatency.Fixtures;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Consumer.Tests.Serving;

/// <summary>A producer of frames in the test's own process.</summary>
internal sealed class FramedProducer : IDisposable
{
    private readonly Announcement _self;
    private IReadOnlyList<PresentConsumer> _consumers = [];

    public FramedProducer(
        RedisServerProcess server,
        string instance,
        double rate = 0,
        string region = "",
        int stream = 0,
        bool offsetFollows = false,
        bool noEcho = false,
        TimeSpan? deadline = null)
    {
        _self = Announcement.OfThis(RunNames.DefaultRun, "producer", instance, region);
        var options = new SenderOptions
        {
            Run = RunIdentity.OfRun(RunNames.DefaultRun),
            Producer = Id,
            Stream = stream,
            Rate = rate,
            OffsetFollows = offsetFollows,
            NoEcho = noEcho,
            MaxInFlight = 1_000,
            ReceiveDeadline = deadline ?? ServiceProcess.LimitAgainstHangs,
        };
        var lane = new LaneOptions
        {
            PublishChannels = [RunNames.ChannelOf(ConsumerTest.Ping, stream)],
            SubscribeChannels = [RunNames.ChannelOf(ConsumerTest.Pong, stream)],
        };
        var endpoint = RedisEndpoint.Parse(server.Uri);
        Sender = new StreamSender(options, () => RawLane.Open(endpoint, new RedisConnectionOptions(), lane));
        Sender.Connect();
    }

    public ulong Id { get; } = RunIdentity.NewProcess();

    public StreamSender Sender { get; }

    public bool IsNameTaken { get; private set; }

    public IReadOnlyList<PresentConsumer> FindConsumers()
    {
        _consumers = Sender.FindConsumers(
            _self, ServiceProcess.LimitAgainstHangs, out var search, CancellationToken.None);
        IsNameTaken = search.IsNameTaken;
        return _consumers;
    }

    public PresentConsumer AskAgain() =>
        Sender.AskAgain(_self, [.. _consumers.Select(consumer => consumer.Id)]).ShouldHaveSingleItem();

    public void Send(long messages, bool isWarmUp = false) =>
        Run(new StreamLimit(messages, null), isWarmUp, CancellationToken.None);

    public void SendUntil(CancellationToken stop) => Run(new StreamLimit(null, TimeSpan.FromHours(1)), false, stop);

    public void End() => Sender.Drain(CancellationToken.None);

    public void Dispose() => Sender.Dispose();

    private void Run(StreamLimit limit, bool isWarmUp, CancellationToken stop) => Sender.Run(
        new StreamPhase
        {
            IsWarmUp = isWarmUp,
            Limit = limit,
            Start = MonotonicClock.NowNs(),
            Consumers = [.. _consumers.Select(consumer => consumer.Id)],
        },
        stop);
}
