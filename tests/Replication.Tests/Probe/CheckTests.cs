using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>One line and an exit code, for a real primary and its replica.</summary>
public partial class CheckTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(99, "--threshold", "delay.p50<5ms")]
    public async Task Check_OfAReplicaBehindALink_SaysHowFarItIsBehind(int expected, params string[] threshold)
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(20)));
        await using var process = Start(pair, ["--keys", "200", "--rate", "200", "--deadline", "20s", "--expiry", "1m", .. threshold]);

        var code = await process.End();

        var line = Line().Match(process.Output.ToString());
        line.Success.ShouldBeTrue(process.ToString());
        line.Groups["name"].Value.ShouldBe(pair.Replica.Uri["redis://".Length..]);
        Milliseconds(line, "median").ShouldBeInRange(20, 20_000);
        Milliseconds(line, "high").ShouldBeInRange(20, 20_000);
        // A machine that is too busy for the schedule says so.
        code.ShouldBe(line.Groups["rest"].Value.Contains("schedule", StringComparison.Ordinal) ? 4 : expected);
        line.Groups["rest"].Value.Contains("✗ delay.p50 < 5 ms", StringComparison.Ordinal).ShouldBe(code == 99);
        process.Errors.ToString().ShouldBeEmpty();
        Directory.Exists(Path.Combine(process.Folder, "results")).ShouldBeFalse();
    }

    [Fact]
    public async Task Check_WhoseReplicaReceivesNoMore_SaysHowManyKeysAreMissing()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = Start(pair, "--keys", "200", "--rate", "100", "--deadline", "500ms");
        await WaitForKeys(pair);

        ReplicatedPair.Execute(pair.Replica, "REPLICAOF", "NO", "ONE");

        (await process.End()).ShouldBe(4, process.ToString());
        process.Output.ToString().ShouldMatch(@"^[^\n]* of 200 keys, \d+ missing: NOT VALID\. [^\n]*\s*$");
    }

    [Fact]
    public async Task Check_OfTooFewKeys_IsNotValidAndSaysHowManyWouldDo()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = Start(pair, "--keys", "1");

        (await process.End()).ShouldBe(4, process.ToString());

        process.Output.ToString().ShouldMatch(
            @"^how far \S+ is behind is not known, 1 of 1 keys: NOT VALID\. At least 20 keys [^\n]*\s*$");
    }

    [Fact]
    public async Task Check_ThatIsStopped_SaysHowManyKeysItCheckedOfHowMany()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = Start(pair, "--keys", "3000", "--rate", "100");
        await WaitForKeys(pair);

        process.Signal("INT");

        (await process.End()).ShouldBeOneOf([130, 4], process.ToString());
        process.Output.ToString().ShouldMatch(@"^[^\n]* \d{1,3} of 3,000 keys[^\n]*: [^\n]*stopped by a signal\s*$");
    }

    // Who cannot write is late with the last key; how long the answer to it takes is no part of the schedule.
    [Fact]
    public async Task Check_WhoseLastKeyLeavesLate_DidNotKeepItsSchedule()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = Start(pair, "--keys", "300", "--rate", "100");
        await WaitForKeys(pair);

        process.Signal("STOP");
        await Task.Delay(TimeSpan.FromSeconds(4), TestContext.Current.CancellationToken);
        process.Signal("CONT");

        (await process.End()).ShouldBe(4, process.ToString());
        process.Output.ToString().ShouldMatch(
            @": NOT VALID\. \S+: the schedule could not be kept: [\d.,]+/s of 100/s\.\s*$");
    }

    [Fact]
    public async Task Check_WhoseReplicaStops_EndsWith5()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var process = Start(
            pair, "--keys", "1000", "--rate", "100", "--deadline", "500ms", "--connect-timeout", "1s", "--command-timeout", "1s",
            "--reconnect-timeout", "500ms");
        await WaitForKeys(pair);

        pair.Replica.Pause();

        (await process.End()).ShouldBe(5, process.ToString());
        pair.Replica.Resume();
        process.Output.ToString().ShouldMatch(@"^[^\n]* keys[^\n]*: NOT VALID\. [^\n]*was lost[^\n]*\s*$");
    }

    [Fact]
    public async Task Check_OfAReplicaThatIsNotLinked_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(pair.Replica, "REPLICAOF", "NO", "ONE");
        await using var process = Start(pair, "--link-timeout", "300ms");

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain("is a primary of its own");
    }

    [Fact]
    public async Task Check_WithoutADestination_IsWrongUsage()
    {
        await using var process = ServiceProcess.Start("Replication", "delay", "check", "--source", "127.0.0.1:1");

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain("both are needed, one of each");
    }

    private static ServiceProcess Start(ReplicatedPair pair, params string[] arguments) => ServiceProcess.Start(
        "Replication", ["delay", "check", "--source", pair.Primary.Uri, "--destination", pair.Replica.Uri, .. arguments]);

    // Half a second of warming up is written before what counts.
    private const int MoreThanWarmUp = 100;

    private static Task WaitForKeys(ReplicatedPair pair) => Eventually.Is(
        "keys arrive",
        () => int.Parse(ReplicatedPair.Execute(pair.Replica, "DBSIZE"), CultureInfo.InvariantCulture) > MoreThanWarmUp);

    private static double Milliseconds(Match line, string figure) =>
        double.Parse(line.Groups[figure].Value, CultureInfo.InvariantCulture);

    // With 200 keys ten lie above the 95th percentile, and two above the 99th, which is not known. A machine that paused
    // may know the 95th as an interval.
    [GeneratedRegex(@"^(?<name>\S+) is ~?(?<median>[\d.]+) ms behind, p95 ~?(?<high>[\d.]+) m?s(?: to [\d.]+ m?s)?, 200 of 200 keys(?<rest>[^\n]*)\s*$")]
    private static partial Regex Line();
}
