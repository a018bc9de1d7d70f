namespace RedisLatency.Metrics.Results;

/// <summary>Why results could not be written.</summary>
public enum ResultsWriteFailure
{
    /// <summary>The folder may not be written to, or is none.</summary>
    Unwritable,

    /// <summary>There is no room left, or no quota.</summary>
    DiskFull,
}
