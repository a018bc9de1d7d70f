namespace RedisLatency.Metrics.Statistics;

/// <summary>Why a percentile is not known.</summary>
public enum UnknownPercentile
{
    /// <summary>Fewer than ten samples lie above it.</summary>
    TooFewSamples,

    /// <summary>It lies among samples that never got a value, or were above the range.</summary>
    MissingSamples,

    /// <summary>It lies among negative values, which it does not hold: clocks are not known so well.</summary>
    Negative,

    /// <summary>
    /// It is known as a wide interval only: the series of the least and of the most that its values can be have its
    /// ends.
    /// </summary>
    WideInterval,

    /// <summary>Another tool measured it, and did not say this one.</summary>
    NotGiven,
}
