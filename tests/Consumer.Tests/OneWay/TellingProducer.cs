using RedisLatency.Consumer.Tests.Serving;
using RedisLatency.Fixtures;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Consumer.Tests.OneWay;

/// <summary>A producer in the test's own process, which tells the Consumer whatever offset a test wants.</summary>
internal sealed class TellingProducer : IDisposable
{
    private readonly RedisServerProcess _server;
    private readonly FramedProducer _producer;
    private readonly OffsetPublisher _teller;
    private readonly ulong _consumer;
    private readonly long _startNs = MonotonicClock.NowNs();

    public TellingProducer(RedisServerProcess server, string instance = "p1", bool noEcho = false)
    {
        _server = server;
        _producer = new FramedProducer(server, instance, rate: 5_000, offsetFollows: true, noEcho: noEcho);
        _consumer = _producer.FindConsumers().ShouldHaveSingleItem().Id;
        _teller = new OffsetPublisher(
            RunIdentity.OfRun(RunNames.DefaultRun), _producer.Id, () => Open(), () => Open(ConsumerTest.Pong));
    }

    /// <summary>Sends so many measured messages, after a few that are not.</summary>
    public void Send(int messages)
    {
        _producer.Send(10, isWarmUp: true);
        _producer.Send(messages);
        _producer.End();
    }

    /// <summary>Tells one window for everything that was sent, and that no more will come.</summary>
    public void Tell(long offsetNs, long errorNs, bool isSynthetic = false, bool isProven = true)
    {
        var endNs = MonotonicClock.NowNs() + 1_000_000_000;
        var window = new PublishedWindow(
            _startNs, endNs, _startNs, offsetNs, errorNs, 0, 0, OffsetBreak.Start, isProven)
        {
            IsSynthetic = isSynthetic,
        };
        _teller.Publish(_consumer, [window], isLast: true);
    }

    /// <summary>What the Consumer made of it by itself.</summary>
    public ForwardFigures AskFigures() =>
        _teller.Ask([_consumer], ServiceProcess.LimitAgainstHangs).ShouldHaveSingleItem().Value;

    public void Dispose()
    {
        _teller.Dispose();
        _producer.Dispose();
    }

    private RawLane Open(params IReadOnlyList<string> replies) => RawLane.Open(
        RedisEndpoint.Parse(_server.Uri),
        new RedisConnectionOptions(),
        new LaneOptions { PublishChannels = [ConsumerTest.Ping], SubscribeChannels = replies });
}
