using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Ends that stop, restart and refuse while keys are on their way.</summary>
public partial class OutageTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public async Task Run_WhoseReplicaStopsForTwoSeconds_ShowsThemInTheKeysOfThatTime()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "1000", "--rate", "125", "--warmup", "0", "--deadline", "20s",
            "--command-timeout", "60s");
        await WaitForKeys(pair.Replica, 50);

        pair.Replica.Pause();
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);
        ReplicatedPair.Execute(pair.Primary, "CLIENT", "KILL", "TYPE", "replica");
        pair.Replica.Resume();
        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(1000);
        // 250 of the 1,000 keys were due in these two seconds, the first half of them more than one before the end.
        record.Percentile("delay-upper", 99).ShouldBeGreaterThan(Second);
        record.Percentile("delay-intended-upper", 99).ShouldBeGreaterThan(Second);
        // It came at any moment of these two seconds: no middle of them says anything.
        var wide = record.Series("delay")["percentiles"]!.AsArray()
            .Single(row => row!["percentile"]!.GetValue<double>() == 95)!;
        wide["value"].ShouldBeNull();
        wide["unknown"]!.GetValue<string>().ShouldBe("WideInterval");
        record.Series("delay")["mean"].ShouldBeNull();
        record.EventKinds().ShouldContain("stalled");
        record.EventKinds().ShouldContain("partial-resync");
    }

    [Fact]
    public async Task Run_WhoseDestinationRestarts_GoesOnAndSaysSo()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0",
            "--deadline", "60s", "--expiry", "2m");
        await WaitForKeys(pair.Replica, 50);

        await pair.Replica.Kill();
        // With the copy that it once received it would go on from there.
        File.Delete(Path.Combine(pair.Replica.Folder, "dump.rdb"));
        await pair.Replica.Restart();
        await process.Errors.WaitFor("destination: connected to " + pair.Replica.Uri["redis://".Length..] + " after");
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(record.Count("asked"));
        record.EventKinds().ShouldContain("disconnected");
        record.EventKinds().ShouldContain("reconnected");
        record.EventKinds().ShouldContain("restarted");
        record.EventKinds().ShouldContain("full-resync");
    }

    [Fact]
    public async Task Run_WhoseDestinationDoesNotComeBack_EndsWithWhatThereIs()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "1k", "--warmup", "0",
            "--reconnect-timeout", "200ms");
        await WaitForKeys(pair.Replica, 500);

        await pair.Replica.Kill();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBeGreaterThan(0);
        record.Count("unread").ShouldBeGreaterThan(0);
        record.Count("asked").ShouldBe(600_000, "the schedule is no shorter for it");
        (record.Count("asked") - record.Count("unsent")).ShouldBeLessThan(
            100_000, "nobody writes for a reader that is gone");
        record["summaries"]![0]!["rates"]!["achieved"]!.GetValue<double>().ShouldBe(
            (record.Count("asked") - record.Count("unsent")) / 600.0, 0.001);
    }

    [Fact]
    public async Task Run_WhoseSourceRestarts_CountsWhatWasDueMeanwhileAsUnsent()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0",
            "--deadline", "2s");
        await WaitForKeys(pair.Replica, 50);

        await pair.Primary.Kill();
        await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
        await pair.Primary.Restart();
        await process.Errors.WaitFor("source: connected to " + pair.Primary.Uri["redis://".Length..] + " after");
        var (code, record) = await process.EndBy("INT").End(process);

        // Which of the two depends on how many keys there were before.
        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.Count("unsent").ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Run_StoppedWhileItsSourceIsGone_AccountsForAllKeys()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "2k", "--warmup", "0", "--deadline", "1s",
            "--reconnect-timeout", "5m");
        await WaitForKeys(pair.Replica, 50);

        // Stopped first, so that it goes with questions that it has not answered.
        pair.Primary.Pause();
        await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
        await pair.Primary.Kill();
        await process.Errors.WaitFor("source: ");
        var (code, record) = await process.EndBy("INT").End(process);

        // A source that is not back at the end is lost, whoever ends it.
        code.ShouldBe(5, process.ToString());
        record.ShouldAccountForAllKeys();
        record["events"]!.AsArray().Count(happened => happened!["kind"]!.GetValue<string>() == "disconnected"
            && happened["text"]!.GetValue<string>().StartsWith("source", StringComparison.Ordinal)).ShouldBe(1);
    }

    [Fact]
    public async Task Run_WhoseDestinationIsFlushed_SaysWhen()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0", "--deadline", "1s");
        await WaitForKeys(pair.Replica, 50);

        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "replica-read-only", "no");
        ReplicatedPair.Execute(pair.Replica, "FLUSHALL");
        await process.Errors.WaitFor("destination: was flushed");
        var (_, record) = await process.EndBy("INT").End(process);

        record.ShouldAccountForAllKeys();
        record.EventKinds().ShouldContain("flushed");
        record["events"]!.AsArray().ShouldAllBe(happened => happened!["atNs"]!.GetValue<long>() > 0);
    }

    [Fact]
    public async Task Run_WithARealReplica_ReportsTheLagInBytesAndWhatWaitTook()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "3s", "--rate", "100", "--wait-interval", "50ms",
            "--deadline", "20s", "--threshold", "wait.mean<60s");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Series("wait")["count"]!.GetValue<long>().ShouldBeGreaterThan(0);
        record.Count("lag-samples").ShouldBeGreaterThan(0);
        record.Count("lag-bytes-max").ShouldBeGreaterThanOrEqualTo(0);
    }

    [Fact]
    public async Task Run_WhoseUserMayNotAskForTheState_MeasuresAllTheSameAndSaysSo()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Replica, "ACL", "SETUSER", "default", "-info");
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "100", "--rate", "200", "--deadline", "20s");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBe(100);
        process.Errors.ToString().ShouldContain("destination: does not report its state: NOPERM");
    }

    [Fact]
    public async Task Run_WhoseSourceBeginsToRefuse_CountsEachRefusal()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0");
        await WaitForKeys(pair.Replica, 50);

        ReplicatedPair.Execute(pair.Primary, "CONFIG", "SET", "min-replicas-to-write", "9");
        await process.Errors.WaitFor("NOREPLICAS");
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.Count("refused").ShouldBeGreaterThan(0);
        record.Count("missing").ShouldBe(0);
        process.Output.ToString().ShouldContain("NOREPLICAS");
    }

    [Fact]
    public async Task Run_WhoseSourceIsLostWithKeysThatItNeverConfirmed_SaysThatAndNoMore()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "500", "--warmup", "0",
            "--deadline", "500ms", "--wait-interval", "0");
        await WaitForKeys(pair.Replica, 50);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(pair.Primary.Uri), Patience.Connection);

        connection.Execute("CLIENT", "PAUSE", "600000", "WRITE");
        await Eventually.Is(
            "keys wait to be carried out", () => Waiting().IsMatch(connection.Execute("CLIENT", "LIST").Text));
        connection.Execute("CLIENT", "KILL", "TYPE", "normal");
        connection.Execute("CLIENT", "UNPAUSE");
        await process.Errors.WaitFor("source: connected to ");
        var (_, record) = await process.EndBy("INT").End(process);

        record.ShouldAccountForAllKeys();
        record.Count("missing").ShouldBeGreaterThan(0, process.ToString());
        record.Keys()["missingAtSource"]!.GetValue<long>().ShouldBe(record.Count("missing"));
        process.ToString().ShouldContain("and it never confirmed that they were written");
        process.ToString().ShouldNotContain("evicted, expired or deleted");
    }

    [GeneratedRegex("name=redislatency-source [^\n]*flags=b[^\n]* qbuf=[1-9]")]
    private static partial Regex Waiting();

    private static async Task WaitForKeys(RedisServerProcess server, int count)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        await Eventually.Is("keys arrive", () => connection.Execute("DBSIZE").Number > count);
    }
}
