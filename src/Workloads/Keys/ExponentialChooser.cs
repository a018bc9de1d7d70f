namespace RedisLatency.Workloads.Keys;

// Popularity falls exponentially with age: a percentage of the operations falls on a share of the keys. Source: YCSB
// 0.18, site.ycsb.generator.ExponentialGenerator, which draws again where there is no such key; here the same
// truncated distribution is drawn by inversion. As there, the scale stays that of the keys at the start.
internal sealed class ExponentialChooser : KeyChooser
{
    private readonly double _rate;
    private double _within;
    private CoarseCells _cells;

    public ExponentialChooser(KeySpace space, double percentile, double share)
        : base(space)
    {
        _rate = -Math.Log(1 - (percentile / 100)) / (space.Count * share);
        Resize();
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var age = _cells.At(-Math.Log(1 - (random.NextDouble() * _within)) / _rate, random);
            if (age < Count)
                return First + Count - 1 - age;
        }
    }

    protected override void Resize()
    {
        _within = 1 - Math.Exp(-_rate * Count);
        _cells = new CoarseCells(Count);
    }
}
