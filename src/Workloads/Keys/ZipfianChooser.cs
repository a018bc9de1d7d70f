namespace RedisLatency.Workloads.Keys;

/// <summary>The key of rank r (from 0) in proportion to (r + 1)^-θ, exactly; side by side, as memtier's Z.</summary>
internal sealed class ZipfianChooser(KeySpace space, double theta) : KeyChooser(space)
{
    private readonly ZipfianRanks _ranks = new(space.Count, theta);

    public override long Next(RandomSource random) => First + _ranks.Next(random);

    protected override void Resize() => _ranks.Grow(Count);
}

/// <summary>Zipfian by age, exactly: unlike YCSB's it draws the first key too; skew follows the keys' number.</summary>
internal sealed class NewestChooser(KeySpace space, double theta) : KeyChooser(space)
{
    private readonly ZipfianRanks _ages = new(space.Count, theta);

    public override long Next(RandomSource random) => First + Count - 1 - _ages.Next(random);

    protected override void Resize() => _ages.Grow(Count);
}
