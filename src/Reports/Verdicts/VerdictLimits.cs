namespace RedisLatency.Reports.Verdicts;

/// <summary>Beyond these a run is not what was asked for, in every role.</summary>
public static class VerdictLimits
{
    /// <summary>Of what was asked for: with more missing, the 99th percentile of all is not known.</summary>
    public const double TolerableLoss = 0.01;

    /// <summary>The least of the rate that was asked for.</summary>
    public const double KeptRate = 0.99;

    /// <summary>A rate is per second: what is asked for in less is judged over this, in nanoseconds.</summary>
    public const long LeastJudgedNs = 1_000_000_000;
}
