namespace RedisLatency.Workloads.Distributions;

/// <summary>Zipfian by age, exactly: unlike YCSB's it draws the first key too; skew follows the keys' number.</summary>
internal sealed class NewestChooser(KeySpace space, double theta) : KeyChooser
{
    private readonly long _first = space.First;
    private readonly ZipfianRanks _ages = new(space.Count, theta);

    public override long Next(RandomSource random) => _first + _ages.Count - 1 - _ages.Next(random);

    public override void Grow(long lastAcknowledged) => _ages.Grow(lastAcknowledged - _first + 1);
}
