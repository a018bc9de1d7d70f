namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// Popularity falls exponentially with age: a percentage of the operations falls on a share of the keys. Source: YCSB
/// 0.18, <c>site.ycsb.generator.ExponentialGenerator</c>, which draws again where there is no such key; here the same
/// truncated distribution is drawn by inversion. As there, the scale stays that of the keys at the start.
/// </summary>
internal sealed class ExponentialChooser : KeyChooser
{
    private readonly long _first;
    private readonly double _rate;
    private long _count;
    private double _within;
    private CoarseCells _cells;

    public ExponentialChooser(KeySpace space, double percentile, double share)
    {
        _first = space.First;
        _rate = -Math.Log(1 - (percentile / 100)) / (space.Count * share);
        Grow(space.Last);
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var age = _cells.At(-Math.Log(1 - (random.NextDouble() * _within)) / _rate, random);
            if (age < _count)
                return _first + _count - 1 - age;
        }
    }

    public override void Grow(long lastAcknowledged)
    {
        if (lastAcknowledged - _first + 1 <= _count)
            return;
        _count = lastAcknowledged - _first + 1;
        _within = 1 - Math.Exp(-_rate * _count);
        _cells = new CoarseCells(_count);
    }
}
