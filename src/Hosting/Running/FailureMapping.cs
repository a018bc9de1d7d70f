using Microsoft.Extensions.Options;
using RedisLatency.Metrics.Results;
using RedisLatency.Redis;

namespace RedisLatency.Hosting.Running;

/// <summary>What a run ends with when a step throws, whatever the service.</summary>
internal static class FailureMapping
{
    public const string Scarcity = "this process cannot get more memory or threads: raise its limits (ulimit -v, "
        + "ulimit -u, the memory and pids of its container), or ask for less";

    public static int ExitCodeFor(Exception failure, RunPhase phase) => failure switch
    {
        _ when IsScarcity(failure) => phase < RunPhase.Measure ? ExitCode.Refused : ExitCode.Fault,
        OptionsValidationException or ConfigurationException => ExitCode.Usage,
        TargetLostException => ExitCode.TargetLost,
        RunRefusedException { HoldsInMeasure: true } => ExitCode.Refused,
        RedisServerException when phase >= RunPhase.Measure => ExitCode.NotValid, // It answers: it is not lost.
        RunRefusedException or RedisException => phase < RunPhase.Measure ? ExitCode.Refused : ExitCode.TargetLost,
        IOException or UnauthorizedAccessException or ResultsWriteException => ExitCode.ResultsNotWritten,
        _ => ExitCode.Fault,
    };

    /// <summary>One line: faults of our own name their type, because their message alone rarely helps.</summary>
    public static string Describe(Exception failure, int exitCode)
    {
        if (IsScarcity(failure))
            return Scarcity;

        var message = failure.Message.ReplaceLineEndings(" ");
        return exitCode == ExitCode.Fault
            ? $"An internal error; please report it (--verbose shows where): {failure.GetType().Name}: {message}"
            : message;
    }

    // A thread that the system refuses is an OutOfMemoryException too.
    public static bool IsScarcity(Exception failure) => failure is OutOfMemoryException or ThreadStartException
        || (failure.InnerException is { } inner && IsScarcity(inner));
}

/// <summary>Options, files or environment say something that cannot be run. The program ends with 2.</summary>
public sealed class ConfigurationException(IReadOnlyList<string> problems)
    : Exception(string.Join(Environment.NewLine, problems))
{
    public ConfigurationException(string problem) : this([problem])
    {
    }

    public IReadOnlyList<string> Problems { get; } = problems;
}

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

/// <summary>
/// The measured server went away and did not come back. Ends the process with <see cref="ExitCode.TargetLost"/>,
/// after what was measured has been drained and reported.
/// </summary>
public sealed class TargetLostException(string message, Exception? innerException = null)
    : Exception(message, innerException);
