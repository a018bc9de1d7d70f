namespace RedisLatency.Metrics.Regimes;

/// <summary>A probe on its way from its arrival to the slices it bounds; times from the tracker's origin.</summary>
internal struct TestedProbe
{
    public ClockProbe Stamps;

    /// <summary>When it was sent: the offset was at most <see cref="High"/> then.</summary>
    public double SentX;

    public double High;

    /// <summary>When it returned: the offset was at least <see cref="Low"/> then.</summary>
    public double ReturnedX;

    public double Low;

    public ProbeVerdict Verdict;

    /// <summary>The regime it belongs to, or the rival that it follows.</summary>
    public int Regime;

    /// <summary>Whether it belongs to a coded pair that met no queue either way.</summary>
    public bool IsClean;

    public bool EndsCleanPair;
}
