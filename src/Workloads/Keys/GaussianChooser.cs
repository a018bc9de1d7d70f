namespace RedisLatency.Workloads.Keys;

// A bell around the median key, cut off at both ends: memtier's G (gaussian_distribution_range of its
// obj_gen.cpp, Marsaglia's polar method), by default the middle of the range and a sixth of it. Where the bell is
// wider than the range, even candidates are rejected by its height instead, so that a draw always ends soon.
internal sealed class GaussianChooser : KeyChooser
{
    private readonly double? _median;
    private readonly double? _deviation;
    private double _centre;
    private double _spread;
    private CoarseCells _cells;

    /// <summary>Without a median it is the keys' middle, which moves when keys are added.</summary>
    public GaussianChooser(KeySpace space, double? median, double? deviation)
        : base(space)
    {
        _median = median;
        _deviation = deviation;
        Resize();
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var draw = _spread > Count / 2.0 ? Wide(random) : _centre + (_spread * Normal(random));
            if (!(draw >= 0 && draw < Count))
                continue;
            var position = _cells.At(draw, random);
            if (position < Count)
                return First + position;
        }
    }

    protected override void Resize()
    {
        _centre = _median is { } median ? median - First : Count / 2.0;
        _spread = _deviation ?? Math.Max(Count - 1, 1e-3) / 6;
        _cells = new CoarseCells(Count);
    }

    private double Wide(RandomSource random)
    {
        while (true)
        {
            var candidate = random.NextDouble() * Count;
            var distance = (candidate - _centre) / _spread;
            if (random.NextDouble() < Math.Exp(-distance * distance / 2))
                return candidate;
        }
    }

    private static double Normal(RandomSource random)
    {
        while (true)
        {
            var x = (random.NextDouble() * 2) - 1;
            var y = (random.NextDouble() * 2) - 1;
            var square = (x * x) + (y * y);
            if (square is > 0 and < 1)
                return x * Math.Sqrt(-2 * Math.Log(square) / square);
        }
    }
}
