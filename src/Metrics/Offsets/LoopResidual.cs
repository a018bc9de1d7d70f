namespace RedisLatency.Metrics.Offsets;

/// <summary>What the offsets around a loop of hosts sum to. True offsets sum to nothing.</summary>
/// <param name="Hosts">The hosts in the order of the loop.</param>
/// <param name="ResidualNs">The sum.</param>
/// <param name="BoundNs">The sum of the errors: what true bounds allow the residual to be.</param>
public sealed record LoopResidual(IReadOnlyList<int> Hosts, double ResidualNs, double BoundNs)
{
    /// <summary>Whether the loop is within its bound. If it is not, one of its bounds is false.</summary>
    public bool IsWithinBound => Math.Abs(ResidualNs) <= BoundNs;
}
