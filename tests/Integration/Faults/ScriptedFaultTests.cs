using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Server;

namespace RedisLatency.Integration.Faults;

/// <summary>Faults that no real server can be asked for, one by one, each found again in the counts.</summary>
public sealed class ScriptedFaultTests : FaultTest
{
    [Theory]
    [InlineData("0")]
    [InlineData("100")]
    public async Task Messages_DroppedDoubledOvertakenOrChanged_AreEachCounted(string payloadSize)
    {
        using var server = InProcessServer.Start();
        server.Faults.DropMessage(100, Pong);
        server.Faults.DuplicateMessage(200, Pong);
        server.Faults.ReorderMessage(300, Pong);
        server.Faults.CorruptMessage(400, Pong);
        server.Faults.CorruptMessage(500, Ping);
        server.Faults.DropMessage(600, Ping);

        await StartBoth(
            server.Endpoint, "raw", "--rate", "500", "--iterations", "1000", "--receive-deadline", "3s",
            "--payload-size", payloadSize);

        var counts = (await ProducerEnded(0, 4)).Summaries[0].Metrics;
        server.Faults.Happened.ShouldBe(6);
        (counts.Count(Counted.Sent), counts.Count(Counted.Lost), counts.Count(Counted.Duplicated),
            counts.Count(Counted.Reordered), counts.Count(Counted.Corrupted))
            .ShouldBe((1_000, 4, 1, 1, 1), Producer.ToString());
        var served = await ConsumerEnded();
        (served.Count(Counted.Received), served.Count(Counted.Lost), served.Count(Counted.Corrupted))
            .ShouldBe((998, 2, 1), Consumer.ToString());
    }

    [Fact]
    public async Task Connections_ClosedOrGarbled_AreOpenedAgain()
    {
        using var server = InProcessServer.Start();
        await StartPair(server.Endpoint, "raw", "--rate", "500", "--duration", "10m", "--receive-deadline", "1s");

        server.Faults.CloseConnections();
        await BothSubscribed(server.Endpoint);
        await Intervals(1);
        server.Faults.CorruptReply(1, "publish");
        server.Faults.CorruptReply(2, "publish");
        await Intervals(1);
        await BothSubscribed(server.Endpoint);
        await Intervals(1);
        Producer.Signal("TERM");

        var events = (await ProducerEnded(4, 143)).Events.Select(happening => happening.Kind).ToList();
        events.Count.ShouldBeGreaterThanOrEqualTo(2, Producer.ToString());
        events.ShouldBe(Enumerable.Range(0, events.Count).Select(i => i % 2 == 0 ? "disconnected" : "reconnected"));
        await ConsumerEnded();
    }
}
