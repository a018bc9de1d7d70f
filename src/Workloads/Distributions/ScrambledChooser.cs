namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// Zipfian with the popular keys scattered over the whole range, what YCSB's scrambled zipfian means to be: every rank
/// has a key of its own (a <see cref="Permutation"/> takes the place of a hash whose values collide), the number of
/// ranks is the number of keys, and the skew is any. Where keys are added the permutation covers those expected, up to
/// as many again as there are, and what is not there yet is drawn anew, so that popular keys stay popular; beyond them
/// the permutation doubles, and other keys become the popular ones.
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
