using RedisLatency.Containers.Servers;
using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Jobs;

/// <summary>A server in a container that is stopped in the middle of a measurement.</summary>
public sealed class FaultTests : ContainerTest
{
    private static readonly string[] LostAndRestored = ["disconnected", "reconnected"];

    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task Server_StoppedAndStarted_IsReconnectedAndWhatWasMissedIsCounted(string image)
    {
        // A port of its own: what the engine chooses may be another after each start.
        var server = await StartServer(image, port: FreePort.Next());
        var consumer = StartService("Consumer", "--redis", server.Uri);
        await consumer.Errors.WaitFor("Serving");
        var producer = StartService(
            "Producer", "--redis", server.Uri, "--rate", "1000", "--duration", "10m", "--warmup", "0",
            "--receive-deadline", "1s");
        await producer.Errors.WaitFor(" measure ");

        await server.Stop();
        await producer.Errors.WaitFor("was lost");
        await server.StartAgain();
        await Eventually.Is(
            "both are subscribed again", () => IsSubscribed(server, "ping") && IsSubscribed(server, "pong"));
        producer.Signal("TERM");

        var record = await RecordOf(producer, 4, 143);
        CountOf(record, "unsent").ShouldBeGreaterThan(0);
        CountOf(record, "asked")
            .ShouldBe(CountOf(record, "sent") + CountOf(record, "unsent"), record["metrics"]!.ToJsonString());
        record["events"]!.AsArray().Select(happening => happening!["kind"]!.GetValue<string>())
            .ShouldBe(LostAndRestored);
    }

    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task Server_GoneAndAnotherOnAnotherPort_IsLostAndSaysSo(string image)
    {
        var server = await StartServer(image, port: FreePort.Next());
        var before = server.Uri;
        var consumer = StartService("Consumer", "--redis", before);
        await consumer.Errors.WaitFor("Serving");
        var producer = StartService(
            "Producer", "--redis", before, "--rate", "1000", "--duration", "10m", "--warmup", "0",
            "--reconnect-timeout", "2s");
        await producer.Errors.WaitFor(" measure ");

        await server.DisposeAsync();
        (await StartServer(image, port: FreePort.Next())).Uri.ShouldNotBe(before);

        var record = await RecordOf(producer, 5);
        record["partialReason"]!.GetValue<string>().ShouldContain("could not be restored within 2 s");
        CountOf(record, "returned").ShouldBeGreaterThan(0);
    }

    private static bool IsSubscribed(ServerContainer server, string end)
    {
        using var connection = server.Open();
        return connection.Execute("PUBSUB", "NUMSUB", $"redislatency:default:{end}").Items[1].Number == 1;
    }
}
