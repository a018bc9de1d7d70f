namespace RedisLatency.Hosting.CommandLine;

/// <summary>A command with its options bound.</summary>
/// <param name="Run">Runs it and returns the exit code.</param>
/// <param name="IsVerbose">Whether errors are to be shown with where they arose.</param>
internal sealed record PreparedCommand(Func<CancellationToken, Task<int>> Run, bool IsVerbose);
