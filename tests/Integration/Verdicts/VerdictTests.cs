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
