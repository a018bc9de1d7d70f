using Microsoft.Extensions.Options;
using RedisLatency.Fleet;
using RedisLatency.Metrics.Results;
using RedisLatency.Redis;

namespace RedisLatency.Hosting.Running;

/// <summary>What a run ends with when a step throws, whatever the service.</summary>
public static class FailureMapping
{
    /// <summary>What is said where the system gives no more memory or threads.</summary>
    public const string Scarcity = "this process cannot get more memory or threads: raise its limits (ulimit -v, "
        + "ulimit -u, the memory and pids of its container), or ask for less";

    /// <summary>The exit code of a run that a failure ends in a phase.</summary>
    public static int ExitCodeFor(Exception failure, RunPhase phase) => failure switch
    {
        _ when IsScarcity(failure) => phase < RunPhase.Measure ? ExitCode.Refused : ExitCode.Fault,
        OptionsValidationException or ConfigurationException => ExitCode.Usage,
        TargetLostException => ExitCode.TargetLost,
        RunRefusedException { HoldsInMeasure: true } => ExitCode.Refused,
        RedisServerException when phase >= RunPhase.Measure => ExitCode.NotValid, // It answers: it is not lost.
        FleetException => phase < RunPhase.Measure ? ExitCode.Refused : ExitCode.NotValid,
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

    /// <summary>
    /// Whether the system gave no more memory or threads: a thread that it refuses is an OutOfMemoryException too.
    /// </summary>
    public static bool IsScarcity(Exception failure) => failure is OutOfMemoryException or ThreadStartException
        || (failure.InnerException is { } inner && IsScarcity(inner));
}
