namespace RedisLatency.Reports.Output;

/// <summary>The unit that all durations of one table share.</summary>
public enum DurationUnit
{
    Microseconds,
    Milliseconds,
    Seconds,
}
