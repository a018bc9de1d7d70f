namespace RedisLatency.Workloads.Distributions;

/// <summary>The key of rank r (from 0) in proportion to (r + 1)^-θ, exactly; side by side, as memtier's Z.</summary>
internal sealed class ZipfianChooser(KeySpace space, double theta) : KeyChooser
{
    private readonly long _first = space.First;
    private readonly ZipfianRanks _ranks = new(space.Count, theta);

    public override long Next(RandomSource random) => _first + _ranks.Next(random);

    public override void Grow(long lastAcknowledged) => _ranks.Grow(lastAcknowledged - _first + 1);
}
