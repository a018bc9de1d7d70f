using RedisLatency.Fixtures;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Sending;

public sealed class ConsumerSearchTests
{
    [Fact]
    public async Task Find_WaitsForAConsumer_ThatHeardTheQuestionAndAnswersLater()
    {
        await using var server = await RedisServerProcess.Start();
        using var quick = Echo(server, 1);
        using var slow = Echo(server, 2);
        quick.Connect();
        slow.Connect();
        using var stop = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        using var producer = Open(server, "pong", "ping");
        var answering = new[]
        {
            Task.Run(() => quick.Run(stop.Token), stop.Token),
            Task.Run(
                () =>
                {
                    Pacer.WaitUntil(MonotonicClock.NowNs() + 500_000_000);
                    slow.Run(stop.Token);
                },
                stop.Token),
        };

        // Far longer than the second that it is: how late the other begins is the machine's doing.
        var search = new ConsumerSearch(7, 8, 0, new Announcement("run", "producer", "p", string.Empty, "0"))
        {
            MostSettleNs = ServiceProcess.LimitAgainstHangs.Ticks * 100,
        };
        var found = search.Find(producer, ServiceProcess.LimitAgainstHangs, stop.Token);

        found.Select(consumer => consumer.Id).ShouldBe([1UL, 2UL], ignoreOrder: true);
        await stop.CancelAsync();
        await Task.WhenAll(answering).ContinueWith(_ => { }, TaskScheduler.Default);
    }

    private static StreamEcho Echo(RedisServerProcess server, ulong id) => new(
        new EchoOptions
        {
            Instance = id,
            Self = new Announcement("run", "consumer", $"c{id}", string.Empty, "0"),
        },
        () => Open(server, "ping", "pong"));

    private static RawLane Open(RedisServerProcess server, string subscribe, string publish) => RawLane.Open(
        RedisEndpoint.Parse(server.Uri),
        Patience.Connection,
        new LaneOptions { SubscribeChannels = [subscribe], PublishChannels = [publish] });
}
