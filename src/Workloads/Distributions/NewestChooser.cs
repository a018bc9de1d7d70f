namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// The key added last is the most popular, the one before it the second most, and so on down to the first:
/// zipfian by age, exactly. What YCSB draws is <see cref="LatestChooser"/>; here the first key can be drawn too, and
/// the skew follows the number of keys.
/// </summary>
internal sealed class NewestChooser(KeySpace space, double theta) : KeyChooser
{
    private readonly long _first = space.First;
    private readonly ZipfianRanks _ages = new(space.Count, theta);

    public override long Next(RandomSource random) => _first + _ages.Count - 1 - _ages.Next(random);

    public override void Grow(long lastAcknowledged) => _ages.Grow(lastAcknowledged - _first + 1);
}
