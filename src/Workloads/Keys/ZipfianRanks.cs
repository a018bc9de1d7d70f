using System.Runtime.CompilerServices;

namespace RedisLatency.Workloads.Keys;

// Rank r (from 0) with probability proportional to (r + 1)^-θ, exactly. Buckets of ranks are a sixteenth as wide as
// their first rank is high; one is drawn by its exact weight (Walker's alias method), a rank in it evenly, which is
// rejected by how much rarer it is than the bucket's first. A growing count adds buckets; the old ones' sum stays.
internal sealed class ZipfianRanks
{
    private const int WidthShift = 4;

    private readonly double _theta;
    private readonly double[] _weights;
    private readonly Bucket[] _buckets;
    private readonly int[] _pending;
    private readonly double[] _portions;
    private int _used;
    private long _end = 1;
    private long _count;

    public ZipfianRanks(long count, double theta)
    {
        _theta = theta;
        var most = BucketsOf(KeySpace.HighestIndex);
        _weights = new double[most];
        _buckets = new Bucket[most];
        _pending = new int[most];
        _portions = new double[most];
        Grow(count);
    }

    public long Count => _count;

    /// <summary>Adds ranks; fewer than there are change nothing. Allocates nothing.</summary>
    public void Grow(long count)
    {
        if (count <= _count)
            return;
        _count = count;
        if (_end > count)
            return;
        while (_end <= count)
            Append();
        ShareOut();
    }

    public long Next(RandomSource random)
    {
        while (true)
        {
            var buckets = _buckets.AsSpan(0, _used);
            var index = (int)Math.BigMul(random.NextUInt64(), (ulong)buckets.Length, out var fraction);
            ref readonly var drawn = ref buckets[index];

            // All ones where the fraction lies below: a branch here would be guessed wrong every other time.
            var isOwn = (int)(((long)(fraction >> 1) - drawn.Own) >> 63);
            ref readonly var bucket = ref buckets[drawn.Alias ^ ((drawn.Alias ^ index) & isOwn)];
            var rank = bucket.Width == 1 ? bucket.First : Within(in bucket, random);

            // The last bucket may reach beyond the count.
            if (rank <= _count)
                return rank - 1;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Within(in Bucket bucket, RandomSource random)
    {
        while (true)
        {
            var rank = bucket.First + (long)random.Below((ulong)bucket.Width);
            var level = random.NextUInt64();
            if (level < bucket.Surely || IsAccepted(level, bucket.First, rank))
                return rank;
        }
    }

    private bool IsAccepted(ulong level, long first, long rank) =>
        level * (1.0 / 18446744073709551616.0) < Math.Pow((double)first / rank, _theta);

    private void Append()
    {
        var width = WidthAt(_end);
        ref var bucket = ref _buckets[_used];
        bucket.First = _end;
        bucket.Width = width;

        // A little less than the exact chance, so that rounding never accepts what the exact test would not.
        var last = (double)(_end + width - 1);
        bucket.Surely = (ulong)(Math.Pow(_end / last, _theta) * (1 - 1e-12) * 18446744073709551616.0);
        _weights[_used] = Zeta.Range(_end, _end + width - 1, _theta);
        _used++;
        _end += width;
    }

    /// <summary>Vose's way to fill an alias table: what is short of its share takes from what has too much.</summary>
    private void ShareOut()
    {
        var total = 0.0;
        for (var index = _used - 1; index >= 0; index--)
            total += _weights[index];
        int scarce = 0, plenty = _used;
        for (var index = 0; index < _used; index++)
        {
            _portions[index] = _weights[index] / total * _used;
            _pending[_portions[index] < 1 ? scarce++ : --plenty] = index;
        }

        while (scarce > 0 && plenty < _used)
        {
            var low = _pending[--scarce];
            var high = _pending[plenty];
            Set(low, _portions[low], high);
            _portions[high] -= 1 - _portions[low];
            if (_portions[high] >= 1)
                continue;
            plenty++;
            _pending[scarce++] = high;
        }

        while (scarce > 0)
            Set(_pending[--scarce], 1, _pending[scarce]);
        for (; plenty < _used; plenty++)
            Set(_pending[plenty], 1, _pending[plenty]);
    }

    private void Set(int index, double own, int alias)
    {
        ref var bucket = ref _buckets[index];
        bucket.Own = own >= 1 ? long.MaxValue : (long)(own * 9223372036854775808.0);
        bucket.Alias = own >= 1 ? index : alias;
    }

    private static long WidthAt(long first) => Math.Max(1, first >> WidthShift);

    private static int BucketsOf(long count)
    {
        var buckets = 0;
        for (var first = 1L; first <= count; first += WidthAt(first))
            buckets++;
        return buckets;
    }

    private struct Bucket
    {
        /// <summary>Below this fraction of a draw, in units of 2^-63, it is this bucket, else the alias.</summary>
        public long Own;

        /// <summary>Below this level every rank of the bucket is accepted.</summary>
        public ulong Surely;

        /// <summary>The first rank, counted from 1.</summary>
        public long First;
        public long Width;
        public int Alias;
    }
}
