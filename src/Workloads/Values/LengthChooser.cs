using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>Chooses the lengths of one worker's values. A draw allocates nothing.</summary>
internal sealed class LengthChooser
{
    private readonly int _constant;
    private readonly KeyChooser? _spread;
    private readonly int[] _lengths = [];
    private readonly double[] _upTo = [];

    public LengthChooser(int length) => _constant = length;

    public LengthChooser(KeyChooser spread) => _spread = spread;

    public LengthChooser(IReadOnlyList<(int Length, double Weight)> weighted)
    {
        var total = weighted.Sum(item => item.Weight);
        _lengths = [.. weighted.Select(item => item.Length)];
        _upTo = new double[_lengths.Length];
        var sum = 0.0;
        for (var index = 0; index < _upTo.Length; index++)
            _upTo[index] = (sum += weighted[index].Weight) / total;
    }

    public int Next(RandomSource random)
    {
        if (_spread is not null)
            return (int)_spread.Next(random);
        return _lengths.Length == 0 ? _constant : Weighted(random.NextDouble());
    }

    private int Weighted(double uniform)
    {
        var index = 0;
        while (index < _upTo.Length - 1 && uniform >= _upTo[index])
            index++;
        return _lengths[index];
    }
}
