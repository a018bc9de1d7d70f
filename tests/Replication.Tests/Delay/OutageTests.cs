using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Replication.Tests.Delay;

/// <summary>Ends that stop, restart and refuse while keys are on their way.</summary>
public class OutageTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public async Task Run_WhoseReplicaStopsForTwoSeconds_ShowsThemInTheKeysOfThatTime()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "500", "--rate", "100", "--warmup", "0", "--deadline", "20s",
            "--command-timeout", "60s");
        await WaitForKeys(pair.Replica, 50);

        pair.Replica.Pause();
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);
        pair.Replica.Resume();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(500);
        // 200 of the 500 keys were due in these two seconds; a quarter of them in each half of one.
        record.Percentile("delay-upper", 90).ShouldBeGreaterThan(Second);
        record.Percentile("delay-intended-upper", 90).ShouldBeGreaterThan(Second);
        record["events"]!.AsArray().ShouldContain(happened => happened!["kind"]!.GetValue<string>() == "stalled");
    }

    [Fact]
    public async Task Run_WhoseDestinationRestarts_GoesOnAndSaysSo()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "300", "--rate", "100", "--warmup", "0", "--deadline", "30s");
        await WaitForKeys(pair.Replica, 50);

        await pair.Replica.Kill();
        await pair.Replica.Restart();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        record.Count("read").ShouldBe(300);
        var kinds = record["events"]!.AsArray().Select(happened => happened!["kind"]!.GetValue<string>()).ToList();
        kinds.ShouldContain("disconnected");
        kinds.ShouldContain("reconnected");
    }

    [Fact]
    public async Task Run_WhoseDestinationDoesNotComeBack_EndsWithWhatThereIs()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "1k", "--warmup", "0",
            "--reconnect-timeout", "200ms");
        await WaitForKeys(pair.Replica, 50);

        await pair.Replica.Kill();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBeGreaterThan(40);
        record.Count("unread").ShouldBeGreaterThan(0);
        record.Count("asked").ShouldBeLessThan(100_000, "nobody writes for a reader that is gone");
    }

    [Fact]
    public async Task Run_WhoseSourceRestarts_CountsWhatWasDueMeanwhileAsUnsent()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "300", "--rate", "100", "--warmup", "0", "--deadline", "2s");
        await WaitForKeys(pair.Replica, 50);

        await pair.Primary.Kill();
        await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
        await pair.Primary.Restart();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("asked").ShouldBe(300);
        record.Count("unsent").ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Run_WhoseSourceBeginsToRefuse_CountsEachRefusal()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "200", "--rate", "100", "--warmup", "0");
        await WaitForKeys(pair.Replica, 50);

        ReplicatedPair.Execute(pair.Primary, "CONFIG", "SET", "min-replicas-to-write", "9");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("refused").ShouldBeGreaterThan(0);
        record.Count("missing").ShouldBe(0);
        process.Output.ToString().ShouldContain("NOREPLICAS");
    }

    private static async Task WaitForKeys(RedisServerProcess server, int count)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri));
        await Eventually.Is("keys arrive", () => connection.Execute("DBSIZE").Number > count);
    }
}
