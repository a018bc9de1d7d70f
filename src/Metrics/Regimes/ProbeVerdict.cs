namespace RedisLatency.Metrics.Regimes;

internal enum ProbeVerdict
{
    /// <summary>It waits until the clocks' rates of its time are known.</summary>
    Untested,

    Accepted,

    /// <summary>It contradicts the regime, and follows a rival.</summary>
    Suspect,

    /// <summary>It contradicts the others, or itself.</summary>
    Contradicting,

    /// <summary>It was under way while a clock jumped.</summary>
    Straddling,
}
