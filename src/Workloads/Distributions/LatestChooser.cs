namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// What YCSB 0.18 draws for <c>requestdistribution=latest</c> (<c>site.ycsb.generator.SkewedLatestGenerator</c>), its
/// faults included: by age Gray's approximation over one key less than there are: the first is never drawn.
/// </summary>
internal sealed class LatestChooser : KeyChooser
{
    private readonly long _first;
    private readonly GrayZipfian _ages;
    private long _last;

    public LatestChooser(KeySpace space, double theta)
    {
        _first = space.First;
        _last = space.Last;
        var items = _last - _first;
        _ages = new GrayZipfian(items, theta, Zeta.Sum(items, theta));
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            // Begun with two keys, YCSB's formula leaves the range when more are added.
            var key = KeyAt(random.NextDouble());
            if (key >= _first)
                return key;
        }
    }

    public override void Grow(long lastAcknowledged)
    {
        if (lastAcknowledged <= _last)
            return;
        _last = lastAcknowledged;
        _ages.Grow(_last - _first);
    }

    /// <summary>The key for a number from 0 up to, not including, 1.</summary>
    internal long KeyAt(double uniform) => _last - _ages.ItemAt(uniform);
}
