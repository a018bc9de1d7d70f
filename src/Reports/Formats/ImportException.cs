namespace RedisLatency.Reports.Formats;

/// <summary>A file cannot be imported; the message says why, in a sentence.</summary>
public sealed class ImportException(string message, Exception? innerException = null)
    : Exception(message, innerException);
