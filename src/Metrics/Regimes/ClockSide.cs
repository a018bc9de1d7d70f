namespace RedisLatency.Metrics.Regimes;

/// <summary>One of the two clocks of a pair.</summary>
public enum ClockSide
{
    /// <summary>A: the clock that stamps sending and returning, and on whose time offsets are given.</summary>
    Producer,

    /// <summary>B: the clock that stamps receiving and echoing.</summary>
    Consumer,
}
