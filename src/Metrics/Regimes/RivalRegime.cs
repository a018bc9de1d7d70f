namespace RedisLatency.Metrics.Regimes;

/// <summary>Probes that contradict the regime and agree with each other: a step, or garbage.</summary>
internal struct RivalRegime
{
    public int Id;

    public RunningBound Bound;

    /// <summary>The number of its first probe.</summary>
    public long First;

    /// <summary>The earliest instant at which the offset is certainly the new one.</summary>
    public double CertainX;
}
