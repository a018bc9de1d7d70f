namespace RedisLatency.Integration.Verdicts;

/// <summary>A row of the matrix: what a role says when something happens while it measures.</summary>
/// <param name="Scenario">Who takes part; <see cref="MatrixScenario.Named"/> starts them.</param>
/// <param name="Fault">What happens.</param>
/// <param name="Role">Which of those who take part.</param>
/// <param name="Verdict">
/// As RESULT has it; <c>valid</c> admits <c>doubtful</c>, which a busy machine makes of it.
/// </param>
/// <param name="ExitCode">What its process ends with.</param>
/// <param name="Says">What stands in its summary besides: what became of its threshold as a rule.</param>
internal sealed record VerdictRow(
    string Scenario, MatrixFault Fault, string Role, string Verdict, int ExitCode, params string[] Says);

/// <summary>What happens to a run.</summary>
public enum MatrixFault
{
    /// <summary>The server ends (SIGKILL) and does not come back.</summary>
    TargetKilled,

    /// <summary>The server stands still (SIGSTOP), its connections open, and does not go on.</summary>
    TargetHung,

    /// <summary>One in two hundred is lost.</summary>
    Lost,

    /// <summary>Everybody who measures stands still for a while.</summary>
    MachinePaused,
}
