namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// What YCSB 0.18 draws for <c>requestdistribution=zipfian</c>, its faults included
/// (<c>site.ycsb.generator.ScrambledZipfianGenerator</c>): a zipfian of θ 0.99 over 10^10 + 1 items, hashed, modulo the
/// keys, those expected and one more; what is not there yet is drawn anew. Several popular items share a key.
/// </summary>
internal sealed class YcsbScrambledChooser : KeyChooser
{
    /// <summary>The items that the inner zipfian has: YCSB means 10^10 and includes both ends.</summary>
    public const long InnerItems = 10_000_000_001;

    public const double InnerZeta = 26.46902820178302;

    private readonly GrayZipfian _inner = new(InnerItems, 0.99, InnerZeta);
    private readonly long _first;
    private readonly long _items;
    private long _last;

    public YcsbScrambledChooser(KeySpace space)
    {
        _first = space.First;
        _last = space.Last;
        _items = space.Count + space.ExpectedInserts + 1;
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var key = KeyAt(random.NextDouble());
            if (key <= _last && key >= _first)
                return key;
        }
    }

    public override void Grow(long lastAcknowledged) => _last = Math.Max(_last, lastAcknowledged);

    /// <summary>The key for a number from 0 up to, not including, 1, whether it is there yet or not.</summary>
    internal long KeyAt(double uniform) => _first + (YcsbHash.Of(_inner.ItemAt(uniform)) % _items);
}
