namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>Which of two numbers is the better one.</summary>
public enum BetterWhen
{
    /// <summary>The lower, as of a latency.</summary>
    Lower,

    /// <summary>The higher, as of a throughput.</summary>
    Higher,
}
