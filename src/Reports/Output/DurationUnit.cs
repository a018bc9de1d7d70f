namespace RedisLatency.Reports.Output;

/// <summary>The unit that all durations of one table share.</summary>
public enum DurationUnit
{
    /// <summary>µs</summary>
    Microseconds,

    /// <summary>ms</summary>
    Milliseconds,

    /// <summary>s</summary>
    Seconds,
}
