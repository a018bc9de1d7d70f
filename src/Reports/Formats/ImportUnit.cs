namespace RedisLatency.Reports.Formats;

/// <summary>How long the values of a file are in nanoseconds, which not every form says.</summary>
public enum ImportUnit
{
    /// <summary>As the file says.</summary>
    Stated = 0,
    Ns = 1,
    Us = 1_000,
    Ms = 1_000_000,
}
