using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A destination that pushes keys by itself.</summary>
public class PushReadingTests
{
    private static readonly TimeSpan LinkDelay = TimeSpan.FromMilliseconds(20);

    [Theory]
    [InlineData("", "auto", "push (client tracking)")]
    [InlineData("KA", "auto", "push (client tracking)")]
    [InlineData("K$", "2", "push (keyspace notifications)")]
    [InlineData("KA", "2", "push (keyspace notifications)")]
    public async Task Run_ReadByPushes_SeesEveryKeyAndNamesHow(string events, string protocol, string name)
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(LinkDelay));
        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "notify-keyspace-events", events);
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "200", "--rate", "200", "--warmup", "0", "--deadline", "20s",
            "--reading", "push", "--protocol", protocol, "--writers", "2");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(200);
        record.Keys()["reading"]!.GetValue<string>().ShouldBe(name);
        record.Series("delay-lower")["min"]!.GetValue<double>().ShouldBeGreaterThan(LinkDelay.TotalNanoseconds * 0.99);
        record.Mean("delay-lower").ShouldBe(record.Mean("delay-upper"));
    }

    [Fact]
    public async Task Run_ForcedToPushesThatTheServerDoesNotSend_IsRefusedWithTheReasons()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--reading", "push", "--protocol", "2");

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain("--reading push");
        process.Errors.ToString().ShouldContain("needs RESP3");
        process.Errors.ToString().ShouldContain("notify-keyspace-events is ''");
    }

    [Fact]
    public async Task Run_WhosePushesEnd_FindsTheKeysByPollsAndSaysSo()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "notify-keyspace-events", "K$");
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0", "--deadline", "20s",
            "--reading", "push", "--protocol", "2");
        await WaitForKeys(pair, 50);

        ReplicatedPair.Execute(pair.Replica, "CLIENT", "KILL", "TYPE", "pubsub");
        await process.Errors.WaitFor("destination: connected to " + pair.Replica.Uri["redis://".Length..] + " after");
        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "notify-keyspace-events", "");
        await WaitForKeys(pair, 150);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(record.Count("asked"));
        record.EventKinds().ShouldContain("disconnected");
        process.Output.ToString().ShouldContain("keys were there although no push reported them");
        record.Series("uncertainty")["max"]!.GetValue<double>().ShouldBeGreaterThan(1e6);
        record.Series("uncertainty")["min"]!.GetValue<double>().ShouldBe(0);
    }

    [Fact]
    public async Task Run_WithoutEndpointsByPushes_IsWrongUsage()
    {
        await using var process = ServiceProcess.Start("Replication", "delay", "--reading", "push");

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain("is read by polling");
    }

    private static Task WaitForKeys(ReplicatedPair pair, int count) => Eventually.Is("keys arrive", () => int.Parse(
        ReplicatedPair.Execute(pair.Replica, "DBSIZE"), System.Globalization.CultureInfo.InvariantCulture) > count);
}
