namespace RedisLatency.Hosting.Running;

/// <summary>
/// The run cannot be: a failed preflight, a missing right, no peer. Before <see cref="RunPhase.Measure"/> it ends the
/// process with <see cref="ExitCode.Refused"/> and its message as the one line of explanation.
/// </summary>
public sealed class RunRefusedException(string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>
    /// Whether it is this tool that refuses, whenever that is found out; else one that comes after Measure began is
    /// the loss of its target.
    /// </summary>
    public bool HoldsInMeasure { get; init; }
}
