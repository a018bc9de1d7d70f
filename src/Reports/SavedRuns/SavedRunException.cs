namespace RedisLatency.Reports.SavedRuns;

/// <summary>What a run left cannot be read. The message begins with the path.</summary>
public sealed class SavedRunException(string message, Exception? innerException = null)
    : Exception(message, innerException);
