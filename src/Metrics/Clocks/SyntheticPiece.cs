namespace RedisLatency.Metrics.Clocks;

/// <summary>A synthetic clock between two of its changes.</summary>
/// <param name="StartNs">From when on, of the host's clock.</param>
/// <param name="JumpedNs">How far it has jumped by then.</param>
/// <param name="GainedNs">What its changes of rate have gained by then.</param>
/// <param name="Rate">How fast they gain, as a share.</param>
/// <param name="StandsAtNs">What it reads all the time, where it stands still; null where it runs.</param>
internal readonly record struct SyntheticPiece(
    long StartNs, long JumpedNs, double GainedNs, double Rate, long? StandsAtNs)
{
    public double GainedBy(long hostNs) => Rate == 0 ? GainedNs : GainedNs + (Rate * (hostNs - StartNs));
}
