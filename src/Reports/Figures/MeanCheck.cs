namespace RedisLatency.Reports.Figures;

/// <summary>
/// forward + back is the round trip less the residence for each message, whatever θ: so it is for the means, though
/// not for percentiles. All in nanoseconds.
/// </summary>
/// <param name="ForwardMeanNs">The mean of forward, from the actual send.</param>
/// <param name="BackMeanNs">The mean of back.</param>
/// <param name="NetworkMeanNs">The mean of the round trip less the residence, of the same messages.</param>
public sealed record MeanCheck(double ForwardMeanNs, double BackMeanNs, double NetworkMeanNs)
{
    /// <summary>What the two ways together have too much.</summary>
    public double DifferenceNs => ForwardMeanNs + BackMeanNs - NetworkMeanNs;
}
