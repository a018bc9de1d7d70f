namespace RedisLatency.Metrics.Results;

/// <summary>Results could not be written: exit code 6, after the summary was printed.</summary>
public sealed class ResultsWriteException : Exception
{
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    // ENOSPC, and EDQUOT of Linux and of macOS; .NET hands them on as they are.
    private const int NoSpace = 28;
    private const int QuotaExceeded = 122;
    private const int QuotaExceededOnMac = 69;

    internal ResultsWriteException(string path, Exception innerException)
        : base($"{path}: {Describe(innerException)}", innerException)
    {
        Path = path;
        Failure = Classify(innerException);
    }

    /// <summary>The file or folder that could not be written.</summary>
    public string Path { get; }

    /// <summary>Why.</summary>
    public ResultsWriteFailure Failure { get; }

    private static ResultsWriteFailure Classify(Exception exception) =>
        exception is IOException && exception.HResult
            is NoSpace or QuotaExceeded or QuotaExceededOnMac or WindowsDiskFull or WindowsHandleDiskFull
            ? ResultsWriteFailure.DiskFull
            : ResultsWriteFailure.Unwritable;

    private static string Describe(Exception exception) => Classify(exception) == ResultsWriteFailure.DiskFull
        ? "no space left for results; free some, or choose another folder with --out"
        : $"results cannot be written here ({exception.Message.TrimEnd('.')}); choose another folder with --out";
}

/// <summary>Why results could not be written.</summary>
public enum ResultsWriteFailure
{
    /// <summary>The folder may not be written to, or is none.</summary>
    Unwritable,

    /// <summary>There is no room left, or no quota.</summary>
    DiskFull,
}
