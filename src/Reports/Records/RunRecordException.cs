namespace RedisLatency.Reports.Records;

/// <summary>A run record could not be read. The message begins with its path.</summary>
public sealed class RunRecordException(
    string path, RunRecordFailure failure, string reason, Exception? innerException = null)
    : Exception($"{path}: {reason}", innerException)
{
    /// <summary>The file.</summary>
    public string Path { get; } = path;

    /// <summary>Why.</summary>
    public RunRecordFailure Failure { get; } = failure;
}
