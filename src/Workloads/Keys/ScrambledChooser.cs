using System.Numerics;

namespace RedisLatency.Workloads.Keys;

// What YCSB's scrambled zipfian means to be: every rank has a key of its own, by a Permutation. Where
// keys are added it covers those expected, up to as many again as there are, and draws anew what is not there yet, so
// that popular keys stay popular; beyond them it doubles, and other keys become the popular ones.
internal sealed class ScrambledChooser : KeyChooser
{
    private readonly long _expected;
    private readonly ZipfianRanks _ranks;
    private Permutation _permutation;

    public ScrambledChooser(KeySpace space, double theta)
        : base(space)
    {
        _expected = space.Count + space.ExpectedInserts;
        _permutation = new Permutation(SizeFor(Count));
        _ranks = new ZipfianRanks(_permutation.Size, theta);
    }

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var key = _permutation[_ranks.Next(random)];
            if (key < Count)
                return First + key;
        }
    }

    protected override void Resize()
    {
        if (Count <= _permutation.Size)
            return;
        _permutation = new Permutation(SizeFor(Count));
        _ranks.Grow(_permutation.Size);
    }

    private long SizeFor(long count)
    {
        const long Most = KeySpace.HighestIndex + 1;
        var doubled = count > Most / 2 ? Most : 2 * count;
        return count <= _expected ? Math.Min(_expected, doubled) : doubled;
    }
}

// A permutation of the numbers below a size, scattered as by a hash: it mixes one to one within the next power of two
// and walks on while the result lies outside, as Black and Rogaway, Ciphers with Arbitrary Finite Domains (CT-RSA
// 2002): fewer than two steps on average. The same size gives the same permutation everywhere.
internal readonly struct Permutation
{
    private readonly ulong _size;
    private readonly ulong _mask;
    private readonly int _shift;

    public Permutation(long size)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(size);
        _size = (ulong)size;
        var bits = 64 - BitOperations.LeadingZeroCount(_size - 1);
        _mask = bits == 0 ? 0 : ulong.MaxValue >> (64 - bits);
        _shift = Math.Max(1, (bits + 1) / 2);
    }

    public long Size => (long)_size;

    public long this[long number]
    {
        get
        {
            var value = (ulong)number;
            do
                value = Mix(value);
            while (value >= _size);
            return (long)value;
        }
    }

    private ulong Mix(ulong value)
    {
        value = ((value * 0x9E3779B97F4A7C15) + 0x632BE59BD9B4E019) & _mask;
        value ^= value >> _shift;
        value = ((value * 0xBF58476D1CE4E5B9) + 0xD1B54A32D192ED03) & _mask;
        value ^= value >> _shift;
        value = ((value * 0x94D049BB133111EB) + 0x8CB92BA72F3D8DD7) & _mask;
        return value ^ (value >> _shift);
    }
}
