namespace RedisLatency.Metrics.Regimes;

/// <summary>What parts a window of the offset from the one before it.</summary>
public enum OffsetBreak
{
    /// <summary>Nothing: the same line goes on.</summary>
    None,

    /// <summary>The first window of all.</summary>
    Start,

    /// <summary>One of the clocks jumped: the window covers the moment at which it did.</summary>
    Step,

    /// <summary>The sampled rate of one of the clocks against its raw oscillator changed: it is being slewed.</summary>
    RateChange,

    /// <summary>One of the hosts said that it had been suspended.</summary>
    Suspended,

    /// <summary>No probes came for longer than a hull reaches.</summary>
    Gap,

    /// <summary>
    /// The probes fit no line within the wander that is assumed, although they keep the drift bound: a rate that
    /// nobody sampled, or a step smaller than the drift bound can show. The drift bound alone counts around it.
    /// </summary>
    NotLinear,
}
