using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Rendezvous;

/// <summary>What a writer and a reader in two processes tell people.</summary>
public sealed partial class PrintedTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-printed-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Sides_OfTwoProcesses_ReportWhatEachKnows()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = Start(
            "read", "--destination", pair.Replica.Uri, "--control", pair.Primary.Uri, "--peer-timeout", "100s");
        await using var writer = Start(
            "write", "--source", pair.Primary.Uri, "--keys", "200", "--rate", "150", "--wait-interval", "20ms",
            "--peer-timeout", "100s");

        (await reader.End()).ShouldBeOneOf([0, 4], reader.ToString());
        (await writer.End()).ShouldBeOneOf([0, 4], writer.ToString());

        var written = writer.Output.ToString();
        written.ShouldContain("\nWRITING, ");
        written.ShouldContain("WAIT  lateness");
        written.ShouldContain("asked 200 = written 200, refused 0, unsent 0\n");
        written.ShouldContain("WAIT: until the first replica's acknowledgement");
        written.ShouldNotContain("\nDELAY");
        written.ShouldNotContain("most");
        written.ShouldContain(" sent=200 refused=0 unsent=0 exit=");
        var read = reader.Output.ToString();
        read.ShouldContain("asked 200 = read 200,");
        string.Join(' ', read.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries))
            .ShouldContain("writer and reader read one clock, ±");
        read.ShouldContain("\nDELAY, ");
        foreach (var line in (written + read).Split('\n').Where(line => !line.StartsWith("RESULT", StringComparison.Ordinal)))
            line.Length.ShouldBeLessThanOrEqualTo(80, line);
        ShouldShowRateAndFigures(writer, "wait, ");
        ShouldShowRateAndFigures(reader, "delay-intended-upper, ");
        await ShouldLeaveNothingToFind(pair);
    }

    [Theory]
    [InlineData("write", "--source", "delay.p99<50ms", "delay is not known here; give it to delay read")]
    [InlineData("read", "--destination", "wait.max<50ms", "wait is not known here; give it to delay write")]
    public async Task Threshold_OnWhatTheOtherSideKnows_IsWrongUsage(string side, string end, string threshold, string problem)
    {
        await using var process = Start(side, end, "127.0.0.1:1", "--threshold", threshold);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(problem);
    }

    // One interval after the other, each with how many keys came and how long they took.
    private static void ShouldShowRateAndFigures(ServiceProcess process, string head)
    {
        var errors = process.Errors.ToString();
        errors.ShouldContain(head);
        FullInterval().IsMatch(errors).ShouldBeTrue(errors);
    }

    private async Task ShouldLeaveNothingToFind(ReplicatedPair pair)
    {
        await using var late = Start(
            "read", "--destination", pair.Replica.Uri, "--control", pair.Primary.Uri, "--peer-timeout", "300ms");
        await using var matrix = ServiceProcess.Start("Replication", "matrix", _folder);
        (await late.End()).ShouldBe(3, late.ToString());
        (await matrix.End()).ShouldBe(0, matrix.ToString());

        late.Errors.ToString().ShouldContain("No writer of run default announced itself");
        // Two results lie there, and one of them has delays.
        matrix.Output.ToString().ShouldNotContain("another process");
        // The number that was not read is in a second table where a percentile lies between two polls, and is wide.
        matrix.Output.ToString().ShouldMatch(@" 200\b[\s\S]* 0\n");
    }

    [GeneratedRegex(@"\d:\d\d measure +[1-9]\d* +\d+ +[\d.]+ ")]
    private static partial Regex FullInterval();

    private ServiceProcess Start(string side, params string[] arguments) => ServiceProcess.Start(
        "Replication", ["delay", side, "--live", "plain", "--out", _folder, .. arguments]);
}
