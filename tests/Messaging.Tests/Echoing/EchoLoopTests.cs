using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Echoing;

public sealed class EchoLoopTests
{
    [Theory]
    [InlineData(2, 1)]
    [InlineData(2, 300)]
    public async Task ConsumersThatEchoToEachOther_FindIt(int consumers, int counts)
    {
        await using var server = await RedisServerProcess.Start();
        var echoes = Enumerable.Range(0, consumers).Select(number => Echo(server, number, (number + 1) % consumers)).ToList();
        echoes.ForEach(echo => echo.Connect());
        using var stop = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        var running = echoes.Select(echo => Task.Run(() => echo.Run(stop.Token))).ToList();
        using var producer = Open(server, $"c{consumers}", "c0");

        for (var count = 1; count <= counts; count++)
            producer.Publish(0, Encoding.ASCII.GetBytes(count.ToString(CultureInfo.InvariantCulture)));

        var first = await Task.WhenAny(running);
        await Should.ThrowAsync<EchoLoopException>(() => first);
        await stop.CancelAsync();
        await Task.WhenAll(running).ContinueWith(_ => { }, TaskScheduler.Default);
        echoes.ForEach(echo => echo.Dispose());
    }

    // A ring of three is found by this alone. Whether one goes around so fast is the machine's doing: the test is the
    // rest of the ring.
    [Fact]
    public async Task OneCount_MoreThanAThousandTimesASecond_IsALoop_WhoeverSendsIt()
    {
        await using var server = await RedisServerProcess.Start();
        using var echo = Echo(server, 0, 1);
        echo.Connect();
        using var stop = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        var running = Task.Run(() => echo.Run(stop.Token), stop.Token);
        using var producer = Open(server, "c2", "c0");

        for (var sent = 0; sent < 2 * RepeatedCounts.Most; sent++)
        {
            producer.Publish(0, "7"u8.ToArray());
            if (sent % RepeatedCounts.AskEvery == 0)
                producer.DrainReplies();
        }

        await Should.ThrowAsync<EchoLoopException>(() => running);
    }

    [Fact]
    public void OneCountAtATime_IsNoLoop_HoweverOftenAProducerSendsIt()
    {
        const long Second = 1_000_000_000;
        var counts = new RepeatedCounts();
        for (var now = 0L; now < RepeatedCounts.Most * Second / 100; now += Second / 100)
        {
            counts.Take(7, now, out var isTooOften);
            isTooOften.ShouldBeFalse();
        }
    }

    private static StreamEcho Echo(RedisServerProcess server, int from, int to) => new(
        new EchoOptions
        {
            Instance = (ulong)from + 1,
            Self = new Announcement("run", "consumer", $"c{from}", string.Empty, "0"),
        },
        () => Open(server, $"c{from}", $"c{to}"));

    private static RawLane Open(RedisServerProcess server, string subscribe, string publish) => RawLane.Open(
        RedisEndpoint.Parse(server.Uri),
        Patience.Connection,
        new LaneOptions { SubscribeChannels = [subscribe], PublishChannels = [publish] });
}
