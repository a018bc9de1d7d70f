namespace RedisLatency.Workloads.Keys.Distributions.Zipfian;

/// <summary>
/// The zipfian approximation of Gray et al., Quickly Generating Billion-Record Synthetic Databases (SIGMOD 1994), as
/// YCSB 0.18 computes it (<c>site.ycsb.generator.ZipfianGenerator</c>): exact for the first two items, a power law in
/// one stroke for the rest. For θ below 1. Only what has to equal YCSB draws from it; elsewhere
/// <see cref="ZipfianRanks"/> is exact and faster.
/// </summary>
internal sealed class GrayZipfian
{
    private readonly long _items;
    private readonly double _second;

    /// <summary>Makes the distribution.</summary>
    /// <param name="items">How many items, from 2.</param>
    /// <param name="theta">The skew, above 0 and below 1.</param>
    /// <param name="zeta">Σ i^-θ over the items, or the constant that YCSB uses in its place.</param>
    public GrayZipfian(long items, double theta, double zeta)
    {
        _items = items;
        _second = 1 + Math.Pow(0.5, theta);
        ZetaN = zeta;
        Alpha = 1 / (1 - theta);
        Eta = (1 - Math.Pow(2.0 / items, 1 - theta)) / (1 - (Zeta.Sum(2, theta) / zeta));
    }

    /// <summary>What the probabilities are divided by.</summary>
    public double ZetaN { get; }

    /// <summary>YCSB's α.</summary>
    public double Alpha { get; }

    /// <summary>YCSB's η.</summary>
    public double Eta { get; }

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
}
