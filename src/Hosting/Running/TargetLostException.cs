namespace RedisLatency.Hosting.Running;

/// <summary>
/// The measured server went away and did not come back. Ends the process with <see cref="ExitCode.TargetLost"/>,
/// after what was measured has been drained and reported.
/// </summary>
public sealed class TargetLostException(string message, Exception? innerException = null)
    : Exception(message, innerException);
