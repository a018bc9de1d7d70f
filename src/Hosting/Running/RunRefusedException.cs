namespace RedisLatency.Hosting.Running;

/// <summary>
/// The run cannot be: a failed preflight, a missing right, no peer. Before <see cref="RunPhase.Measure"/> it ends the
/// process with <see cref="ExitCode.Refused"/> and its message as the one line of explanation.
/// </summary>
public sealed class RunRefusedException(string message, Exception? innerException = null)
    : Exception(message, innerException);
