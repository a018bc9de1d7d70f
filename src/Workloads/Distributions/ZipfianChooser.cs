namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// The lowest key is the most popular, the next the second most, and so on: the key of rank r (from 0) with probability
/// proportional to (r + 1)^-θ, exactly. The popular keys lie side by side, as memtier's <c>Z</c> has them; added keys
/// are the least popular.
/// </summary>
internal sealed class ZipfianChooser(KeySpace space, double theta) : KeyChooser
{
    private readonly long _first = space.First;
    private readonly ZipfianRanks _ranks = new(space.Count, theta);

    public override long Next(RandomSource random) => _first + _ranks.Next(random);

    public override void Grow(long lastAcknowledged) => _ranks.Grow(lastAcknowledged - _first + 1);
}
