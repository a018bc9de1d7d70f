namespace RedisLatency.Metrics.Regimes;

/// <summary>What is thought of a probe.</summary>
internal enum ProbeVerdict
{
    /// <summary>It waits until the clocks' rates of its time are known.</summary>
    Untested,

    /// <summary>It bounds the offset of its regime.</summary>
    Accepted,

    /// <summary>It contradicts the regime, and follows a rival.</summary>
    Suspect,

    /// <summary>It contradicts the others, or itself.</summary>
    Contradicting,

    /// <summary>It was under way while a clock jumped.</summary>
    Straddling,
}
