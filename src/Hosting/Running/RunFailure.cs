namespace RedisLatency.Hosting.Running;

/// <summary>Why a run did not go to its end.</summary>
/// <param name="Phase">Where it failed.</param>
/// <param name="ExitCode">What the process ends with because of it.</param>
/// <param name="Message">One line for the user.</param>
public sealed record RunFailure(RunPhase Phase, int ExitCode, string Message);
