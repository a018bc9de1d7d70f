using RedisLatency.Containers.Servers;

namespace RedisLatency.Containers.Jobs;

/// <summary>A Producer, a Consumer, and a server in a container between them.</summary>
public sealed class PairTests : ContainerTest
{
    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task Pair_LosesNothing(string image)
    {
        var server = await StartServer(image);
        var consumer = StartService("Consumer", "--redis", server.Uri);
        await consumer.Errors.WaitFor("Serving");

        var producer = StartService(
            "Producer", "--redis", server.Uri, "--rate", "1000", "--iterations", "2000", "--warmup", "100");

        var record = await RecordOf(producer, 0, 4);
        CountOf(record, "sent").ShouldBe(2_000);
        CountOf(record, "returned").ShouldBe(2_000);
        consumer.Signal("TERM");
        CountOf(await RecordOf(consumer, 143), "received").ShouldBe(2_000);
    }
}
