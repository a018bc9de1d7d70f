namespace RedisLatency.Workloads.Keys;

// What YCSB 0.18 draws for requestdistribution=latest (site.ycsb.generator.SkewedLatestGenerator), its
// faults included: by age Gray's approximation over one key less than there are: the first is never drawn.
internal sealed class LatestChooser(KeySpace space, double theta) : KeyChooser(space)
{
    private readonly GrayZipfian _ages = new(space.Count - 1, theta, Zeta.Sum(space.Count - 1, theta));

    public override long Next(RandomSource random)
    {
        while (true)
        {
            // Begun with two keys, YCSB's formula leaves the range when more are added.
            var key = KeyAt(random.NextDouble());
            if (key >= First)
                return key;
        }
    }

    protected override void Resize() => _ages.Grow(Count - 1);

    /// <summary>The key for a number from 0 up to, not including, 1.</summary>
    internal long KeyAt(double uniform) => First + Count - 1 - _ages.ItemAt(uniform);
}

// Gray et al., Quickly Generating Billion-Record Synthetic Databases (SIGMOD 1994), as YCSB 0.18 computes it
// (site.ycsb.generator.ZipfianGenerator), for θ below 1. Only what has to equal YCSB draws from it; elsewhere
// ZipfianRanks is exact and faster.
internal sealed class GrayZipfian
{
    private readonly double _theta;
    private readonly double _second;
    private readonly double _etaNumerator;
    private long _items;

    /// <summary>With Σ i^-θ over the items as ζ, or the constant that YCSB uses in its place.</summary>
    public GrayZipfian(long items, double theta, double zeta)
    {
        _items = items;
        _theta = theta;
        _second = 1 + Math.Pow(0.5, theta);
        _etaNumerator = 1 - Math.Pow(2.0 / Math.Max(1, items), 1 - theta);
        ZetaN = zeta;
        Alpha = 1 / (1 - theta);
        Eta = EtaOf(zeta);
    }

    /// <summary>What the probabilities are divided by.</summary>
    public double ZetaN { get; private set; }

    public double Alpha { get; }

    public double Eta { get; private set; }

    /// <summary>As YCSB does: its sum is carried on, while η keeps the number of items there were at first.</summary>
    public void Grow(long items)
    {
        ZetaN += Zeta.Range(_items + 1, items, _theta);
        Eta = EtaOf(ZetaN);
        _items = items;
    }

    /// <summary>The item for a number from 0 up to, not including, 1.</summary>
    public long ItemAt(double uniform)
    {
        var scaled = uniform * ZetaN;
        if (scaled < 1)
            return 0;
        if (scaled < _second)
            return 1;
        return (long)(_items * Math.Pow((Eta * uniform) - Eta + 1, Alpha));
    }

    private double EtaOf(double zeta) => _etaNumerator / (1 - (_second / zeta));
}
