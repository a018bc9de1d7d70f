using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A real primary and its replica, and the tool as users run it.</summary>
public class DelayRunTests
{
    [Fact]
    public async Task Run_FromPrimaryToReplica_AccountsForEveryKey()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "500", "--rate", "500", "--writers", "3", "--value-size", "1KiB",
            "--expiry", "10m", "--deadline", "20s", "--wait-interval", "0",
            "--threshold", "missing==0", "--threshold", "delay.p95<10s");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("asked").ShouldBe(500);
        record.Count("read").ShouldBe(500);
        record.Series("delay")["count"]!.GetValue<long>().ShouldBe(500);
        record.Mean("delay-lower").ShouldBeLessThanOrEqualTo(record.Mean("delay"));
        record.Mean("delay").ShouldBeLessThanOrEqualTo(record.Mean("delay-upper"));
        var keyspace = ReplicatedPair.Execute(pair.Primary, "INFO", "keyspace");
        keyspace.ShouldContain("db0:keys=751,expires=751", customMessage: "500, 250 to warm up, and the first");
        process.Errors.ToString().ShouldContain("the first key took");
    }

    [Fact]
    public async Task Run_OfOneKeyOfASlowSchedule_KeptIt()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--rate", "0.5", "--duration", "500ms", "--warmup", "0");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        if (code == 0)
            record["summaries"]![0]!["rates"]!["achieved"]!.GetValue<double>().ShouldBe(0.5);
    }

    [Fact]
    public async Task Run_WithAThresholdThatIsMissed_EndsWith99()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "50", "--warmup", "0", "--threshold", "read>=51");

        var (code, record) = await process.End().End(process);

        code.ShouldBe(99, process.ToString());
        record["thresholds"]![0]!["held"]!.GetValue<bool>().ShouldBeFalse();
    }

    [Theory]
    [InlineData("100ms", 99, true, false)]
    [InlineData("0", 4, null, null)] // Nobody asked for the offsets.
    public async Task Run_WithThresholdsOnTheLagInBytes_HoldsThemAgainstIt(
        string watchInterval, int exitCode, bool? most, bool? mean)
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "100", "--rate", "100", "--watch-interval", watchInterval,
            "--threshold", "lag-bytes-max<1000000000", "--threshold", "lag-bytes<0");

        var (code, record) = await process.End().End(process);

        // A machine that could not keep the schedule makes no run that is held against anything.
        var isValid = record["verdict"]!["status"]!.GetValue<string>() != "NotValid";
        code.ShouldBe(isValid ? exitCode : 4, process.ToString());
        record["thresholds"]!.AsArray().Select(one => one!["held"]?.GetValue<bool>()).ShouldBe([most, mean]);
        record["metrics"]!.AsObject().ContainsKey("lag-bytes").ShouldBe(most is not null);
    }

    [Fact]
    public async Task Run_FromAReplica_IsRefusedAndNamesThePrimary()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(pair.Replica.Uri, pair.Primary.Uri);

        (await process.End()).ShouldBe(3);

        process.Errors.ToString().ShouldContain($"is a replica of 127.0.0.1:{pair.Primary.Port}");
    }

    [Fact]
    public async Task Run_ToTheSameServer_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(pair.Primary.Uri, pair.Primary.Uri);

        (await process.End()).ShouldBe(3);

        process.Errors.ToString().ShouldContain("are the same server");
    }

    [Fact]
    public async Task Run_ToAPrimaryThatIsNotLinked_IsRefusedAfterTheFirstKey()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Replica, "REPLICAOF", "NO", "ONE");
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--link-timeout", "300ms");

        (await process.End()).ShouldBe(3);

        process.Errors.ToString().ShouldContain("is a primary of its own");
    }

    [Fact]
    public async Task Run_ToAnEndThatIsNotThere_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        var free = FreePort.Next();
        await using var process = DelayProcess.Start(pair.Primary.Uri, $"127.0.0.1:{free}");

        (await process.End()).ShouldBe(3);

        process.Errors.ToString().ShouldContain($"127.0.0.1:{free}");
    }

    [Theory]
    [InlineData("--keys", "0")]
    [InlineData("--keys", "-1")]
    [InlineData("--threshold", "rtt.p99<1ms")]
    [InlineData("--expiry", "1s")]
    [InlineData("--duration", "100h")]
    [InlineData("--value-size", "8")]
    [InlineData("--source-region", "two\nlines")]
    [InlineData("--destination-region", "\u001b[31mred")]
    public async Task Run_WithAWrongOption_IsWrongUsage(string name, string value)
    {
        await using var process = DelayProcess.Start("127.0.0.1:1", "127.0.0.1:2", name, value);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(name);
    }

    [Theory]
    [InlineData]
    [InlineData("--continuous")]
    public async Task PairInThisProcess_UnderAThreshold_MustBeAskedFor(params string[] mode)
    {
        await using var process = ServiceProcess.Start("Replication", ["delay", .. mode, "--threshold", "delay.max<1h"]);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain("--source in-process for the server inside this tool");
    }

    [Theory]
    [InlineData("--continuous: leave out --keys and --rate", "--continuous", "--keys", "9", "--rate", "2")]
    [InlineData("--continuous: leave out a second --destination", "--continuous", "--destination", "127.0.0.1:3")]
    [InlineData("--continuous: needed for --window and --metrics", "--window", "2s", "--metrics", "http://127.0.0.1:0")]
    [InlineData("--threshold: missing==0: there is no metric missing", "--continuous", "--threshold", "missing==0")]
    [InlineData("--threshold: age<5s: there is no metric age", "--threshold", "age<5s")]
    [InlineData("heartbeats must outlive", "--continuous", "--interval", "50s", "--expiry", "55s")]
    public async Task Run_WithAnOptionOfTheOtherMode_IsWrongUsage(string problem, params string[] words)
    {
        await using var process = DelayProcess.Start("127.0.0.1:1", "127.0.0.1:2", words);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(problem);
    }

    [Fact]
    public async Task Run_AgainstASourceThatMayNotBeWritten_IsRefusedWithWhatItSaid()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Primary, "CONFIG", "SET", "min-replicas-to-write", "9");
        await using var process = DelayProcess.Start(pair.Primary.Uri, pair.Replica.Uri);

        (await process.End()).ShouldBe(3);

        process.Errors.ToString().ShouldContain("takes no keys: NOREPLICAS");
    }

    [Fact]
    public async Task Run_Interrupted_SavesWhatThereIsAndAccountsForIt()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--duration", "10m", "--rate", "200", "--warmup", "0");
        await Eventually.Is("keys arrive", () => KeysAt(pair.Replica) > 20);

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBeGreaterThan(10);
        Directory.GetFiles(process.Folder, "run.json", SearchOption.AllDirectories).ShouldHaveSingleItem();
    }

    [Fact]
    public async Task Run_WhoseReplicaIsPromoted_CallsTheRestMissing()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = DelayProcess.Start(
            pair.Primary.Uri, pair.Replica.Uri, "--keys", "200", "--rate", "100", "--warmup", "0", "--deadline", "500ms");
        await Eventually.Is("keys arrive", () => KeysAt(pair.Replica) > 20);

        ReplicatedPair.Execute(pair.Replica, "REPLICAOF", "NO", "ONE");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("asked").ShouldBe(200);
        record.Count("read").ShouldBeGreaterThan(10);
        record.Count("missing").ShouldBe(200 - record.Count("read"));
        record.Keys()["missingAtSource"]!.GetValue<long>().ShouldBe(0);
        record.EventKinds().ShouldContain("promoted");
    }

    [Fact]
    public async Task Run_WhoseResultsCannotBeSaved_SaysWhyThoughItIsToBeQuiet()
    {
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--keys", "20", "--warmup", "0", "--quiet", "--out", "/dev/null");

        (await process.End()).ShouldBe(6, process.ToString());

        process.Errors.ToString().ShouldContain("error: Results are not saved: ");
    }

    [Fact]
    public async Task Run_WithoutEndpoints_MeasuresAPairOfItsOwnAndSaysSo()
    {
        await using var process = ServiceProcess.Start("Replication", "delay", "--keys", "200", "--live", "none");

        (await process.End()).ShouldBe(0, process.ToString());

        var text = process.Output.ToString();
        process.Errors.ToString().ShouldContain("two servers inside this process");
        process.Errors.ToString().ShouldContain("a link of 5 ms");
        text.ShouldContain("asked 200 = read 200");
        text.Split('\n').Where(line => !line.StartsWith("RESULT", StringComparison.Ordinal))
            .ShouldAllBe(line => line.Length <= 80);
        var folder = Directory.GetDirectories(Path.Combine(process.Folder, "results")).ShouldHaveSingleItem();
        File.ReadAllText(Path.Combine(folder, "latency.hlog")).ShouldContain("Tag=delay-lower,");
        await using var shown = ServiceProcess.Start("Replication", "show", folder);
        (await shown.End()).ShouldBe(0);
        shown.Output.ToString().ShouldBe(text[text.IndexOf("VERDICT", StringComparison.Ordinal)..]);
        await using var csv = ServiceProcess.Start("Replication", "show", folder, "--format", "csv");
        (await csv.End()).ShouldBe(0);
        csv.Output.ToString().ShouldContain(",delay-intended-upper,200,");
    }

    [Fact]
    public async Task Run_WithOneEndOnly_IsWrongUsage()
    {
        await using var process = ServiceProcess.Start("Replication", "delay", "--source", "127.0.0.1:1");

        (await process.End()).ShouldBe(2);

        process.Errors.ToString().ShouldContain("both are needed");
    }

    private static int KeysAt(RedisServerProcess server) =>
        int.Parse(ReplicatedPair.Execute(server, "DBSIZE"), System.Globalization.CultureInfo.InvariantCulture);
}
