namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// A bell around the median key, cut off at both ends: memtier's <c>G</c> (<c>gaussian_distribution_range</c> of its
/// obj_gen.cpp, Marsaglia's polar method), by default the middle of the range and a sixth of it. Where the bell is
/// wider than the range, even candidates are rejected by its height instead, so that a draw always ends soon.
/// </summary>
internal sealed class GaussianChooser : KeyChooser
{
    private readonly long _first;
    private readonly double? _median;
    private readonly double? _deviation;
    private long _count;
    private double _centre;
    private double _spread;
    private CoarseCells _cells;

    /// <summary>Without a median it is the keys' middle, which moves when keys are added.</summary>
    public GaussianChooser(KeySpace space, double? median, double? deviation)
    {
        _first = space.First;
        _median = median;
        _deviation = deviation;
        Grow(space.Last);
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var draw = _spread > _count / 2.0 ? Wide(random) : _centre + (_spread * Normal(random));
            if (!(draw >= 0 && draw < _count))
                continue;
            var position = _cells.At(draw, random);
            if (position < _count)
                return _first + position;
        }
    }

    public override void Grow(long lastAcknowledged)
    {
        if (lastAcknowledged - _first + 1 <= _count)
            return;
        _count = lastAcknowledged - _first + 1;
        _centre = _median is { } median ? median - _first : _count / 2.0;
        _spread = _deviation ?? Math.Max(_count - 1, 1e-3) / 6;
        _cells = new CoarseCells(_count);
    }

    private double Wide(RandomSource random)
    {
        while (true)
        {
            var candidate = random.NextDouble() * _count;
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
