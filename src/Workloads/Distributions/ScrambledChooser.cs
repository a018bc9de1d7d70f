namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// What YCSB's scrambled zipfian means to be: every rank has a key of its own, by a <see cref="Permutation"/>. Where
/// keys are added it covers those expected, up to as many again as there are, and draws anew what is not there yet, so
/// that popular keys stay popular; beyond them it doubles, and other keys become the popular ones.
/// </summary>
internal sealed class ScrambledChooser : KeyChooser
{
    private readonly long _first;
    private readonly long _expected;
    private readonly ZipfianRanks _ranks;
    private Permutation _permutation;
    private long _count;

    public ScrambledChooser(KeySpace space, double theta)
    {
        _first = space.First;
        _count = space.Count;
        _expected = space.Count + space.ExpectedInserts;
        _permutation = new Permutation(SizeFor(_count));
        _ranks = new ZipfianRanks(_permutation.Size, theta);
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var key = _permutation[_ranks.Next(random)];
            if (key < _count)
                return _first + key;
        }
    }

    public override void Grow(long lastAcknowledged)
    {
        _count = Math.Max(_count, lastAcknowledged - _first + 1);
        if (_count <= _permutation.Size)
            return;
        _permutation = new Permutation(SizeFor(_count));
        _ranks.Grow(_permutation.Size);
    }

    private long SizeFor(long count)
    {
        const long Most = KeySpace.HighestIndex + 1;
        var doubled = count > Most / 2 ? Most : 2 * count;
        return count <= _expected ? Math.Min(_expected, doubled) : doubled;
    }
}
