namespace RedisLatency.Metrics.HostClocks;

/// <summary>What can happen to a clock while it is watched.</summary>
public enum ClockEventKind
{
    /// <summary>The wall clock was set: it moved against the monotonic one.</summary>
    WallClockStepped,

    /// <summary>The host slept: the monotonic clock stood still.</summary>
    Suspended,

    /// <summary>The monotonic clock began to run at another rate: something slews it.</summary>
    RateChanged,
}
