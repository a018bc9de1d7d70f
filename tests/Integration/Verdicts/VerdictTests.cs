using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Server;
using static RedisLatency.Integration.Verdicts.VerdictMatrix;

namespace RedisLatency.Integration.Verdicts;

/// <summary>
/// The rows of <see cref="VerdictMatrix"/>, a class for each kind of service: they run at the same time.
/// </summary>
public sealed class PairVerdictTests
{
    public static TheoryData<string, MatrixFault> Runs => RunsOf(PairScenario.ClosedLoop, PairScenario.OpenLoop);

    [Theory]
    [MemberData(nameof(Runs))]
    public Task Role_WhenThisHappens_SaysWhatTheTableSays(string scenario, MatrixFault fault) =>
        ShouldHold(scenario, fault);
}

/// <inheritdoc cref="PairVerdictTests"/>
public sealed class WorkloadVerdictTests
{
    public static TheoryData<string, MatrixFault> Runs => RunsOf(
        WorkloadScenario.ClosedLoop, WorkloadScenario.OpenLoop, WorkloadScenario.OnCluster);

    [Theory]
    [MemberData(nameof(Runs))]
    public Task Role_WhenThisHappens_SaysWhatTheTableSays(string scenario, MatrixFault fault) =>
        ShouldHold(scenario, fault);

    /// <summary>As behind a firewall that has forgotten them: who connects anew is answered.</summary>
    [Fact]
    public async Task Load_WhoseConnectionsAllFellSilent_IsNotValid()
    {
        using var server = InProcessServer.Start();
        for (var reply = 1; reply <= 4; reply++)
            server.Faults.DropReply(100 + reply, "get");
        await using var process = ServiceProcess.Start(
            "Workloads",
            [
                "run", "--redis", server.Endpoint, "--mix", "get=1", "--records", "100", "--warmup", "0s",
                "--connections", "4", "--duration", "1s", "--command-timeout", "2s", "--live", "none",
            ]);

        (await process.End()).ShouldBe(4, process.ToString());

        var record = SavedRun.Of(process).Record;
        record.Summaries.Single().Count(Counted.Returned).ShouldBe(100);
        record.Verdict.Reasons.ShouldContain(reason => reason.EndsWith(
            "requests in flight at the end were never answered by " + server.Endpoint.Split("//")[1]
            + ", although the server answers.", StringComparison.Ordinal));
    }

    /// <summary>Each later reply is taken for that of the request before it, and the last request has none.</summary>
    [Theory]
    [InlineData("--connections", "1", "--pipeline", "8")]
    [InlineData("--connections", "8", "--pipeline", "8")]
    [InlineData("--connections", "1", "--rate", "1000")]
    [InlineData("--connections", "8", "--driver", "stackexchange")]
    public async Task ReplyThatIsMissing_WhereOthersAreBehindIt_MakesTheRunNotValid(params string[] sending)
    {
        using var server = InProcessServer.Start();
        server.Faults.DropReply(500, "get");
        await using var process = ServiceProcess.Start(
            "Workloads",
            [
                "run", "--redis", server.Endpoint, "--mix", "get=1", "--records", "100", "--warmup", "0s",
                "--operations", "2000", "--live", "none", .. sending,
            ]);

        (await process.End()).ShouldBe(4, process.ToString());

        var record = SavedRun.Of(process).Record;
        record.Summaries.Single().Count(Counted.Returned)!.Value.ShouldBeGreaterThan(499);
        record.Verdict.Reasons.ShouldContain(reason => reason.EndsWith(
            ", although the server answers: a reply is missing on their connections, and what was sent there after it "
            + "has the latency of another request.", StringComparison.Ordinal));
    }
}

/// <inheritdoc cref="PairVerdictTests"/>
public sealed class DelayVerdictTests
{
    public static TheoryData<string, MatrixFault> Runs => RunsOf(
        DelayScenario.FromSource, DelayScenario.ToDestination, DelayScenario.HeartbeatSource,
        DelayScenario.ApartDestination);

    [Theory]
    [MemberData(nameof(Runs))]
    public Task Role_WhenThisHappens_SaysWhatTheTableSays(string scenario, MatrixFault fault) =>
        ShouldHold(scenario, fault);
}

/// <inheritdoc cref="PairVerdictTests"/>
public sealed class SidesVerdictTests
{
    public static TheoryData<string, MatrixFault> Runs => RunsOf(DelayScenario.Apart, DelayScenario.Heartbeats);

    [Theory]
    [MemberData(nameof(Runs))]
    public Task Role_WhenThisHappens_SaysWhatTheTableSays(string scenario, MatrixFault fault) =>
        ShouldHold(scenario, fault);
}
