namespace RedisLatency.Reports.Records;

/// <summary>A run record could not be read. The message begins with its path.</summary>
public sealed class RunRecordException(string path, string reason, Exception? innerException = null)
    : Exception($"{path}: {reason}", innerException)
{
    /// <summary>Whether there is none.</summary>
    public bool IsMissing => InnerException is FileNotFoundException or DirectoryNotFoundException;
}
