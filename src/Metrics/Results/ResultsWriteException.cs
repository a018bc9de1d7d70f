namespace RedisLatency.Metrics.Results;

/// <summary>Results could not be written: exit code 6, after the summary was printed.</summary>
public sealed class ResultsWriteException(string path, Exception innerException)
    : Exception($"{path}: {Describe(innerException)}", innerException)
{
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    // ENOSPC, and EDQUOT of Linux and of macOS; .NET hands them on as they are.
    private const int NoSpace = 28;
    private const int QuotaExceeded = 122;
    private const int QuotaExceededOnMac = 69;

    private static string Describe(Exception exception) => exception is IOException && exception.HResult
        is NoSpace or QuotaExceeded or QuotaExceededOnMac or WindowsDiskFull or WindowsHandleDiskFull
        ? "no space left for results; free some, or choose another folder with --out"
        : $"results cannot be written here ({exception.Message.TrimEnd('.')}); choose another folder with --out";
}
