namespace RedisLatency.Metrics.Regimes;

/// <summary>How fast one clock was slewed, as sampled: each sample is the mean rate since the one before it.</summary>
internal sealed class SampledRates(double unsampledPpm)
{
    // A sample says nothing of what was longer ago than this, nor of what comes later.
    private const long LongestMeanNs = 5_000_000_000;
    private const long HoldNs = 1_500_000_000;
    private const int Capacity = 512;

    private readonly long[] _atNs = new long[Capacity];
    private readonly double[] _ppm = new double[Capacity];
    private long _count;
    private bool _isComplete;

    /// <summary>
    /// Whether all that can be known of an instant is: the sample after it, and the one after that, because a slew that
    /// began shortly before a sample hardly shows in its mean.
    /// </summary>
    public bool Knows(long atNs) => _count == 0 || _atNs[Slot(Math.Max(Oldest, _count - 2))] >= atNs;

    /// <summary>No more samples come: what is not known by now counts as not sampled.</summary>
    public void Complete() => _isComplete = true;

    public void Add(long atNs, double ppm)
    {
        if (!double.IsFinite(ppm) || (_count > 0 && atNs <= LatestNs))
            return;
        _atNs[Slot(_count)] = atNs;
        _ppm[Slot(_count)] = ppm;
        _count++;
    }

    /// <summary>The most that the clock was slewed at any instant from one to another, in parts per million.</summary>
    /// <remarks>
    /// A slew may begin or end between two samples, and their means then hide its height: the differences to the
    /// neighbours are added for that.
    /// </remarks>
    public double LargestPpm(long fromNs, long toNs)
    {
        if (_count == 0)
            return unsampledPpm;
        var largest = fromNs < StartOf(Oldest) ? unsampledPpm : 0;
        for (var i = FirstAfter(fromNs); i < _count && StartOf(i) < toNs; i++)
        {
            largest = Math.Max(largest, HeightOf(i));
            if (StartOf(i) > Math.Max(fromNs, i > Oldest ? _atNs[Slot(i - 1)] : long.MinValue))
                largest = Math.Max(largest, unsampledPpm);
        }

        if (_isComplete && !Knows(toNs))
            largest = Math.Max(largest, unsampledPpm);
        if (toNs <= LatestNs)
            return largest;
        return Math.Max(Math.Max(largest, HeightOf(_count - 1)), toNs > LatestNs + HoldNs ? unsampledPpm : 0);
    }

    /// <summary>
    /// The least and the greatest rate sampled from one instant to another; nothing without samples. The neighbours
    /// count: where they differ, the rate changed at an unknown time between the samples.
    /// </summary>
    public (double Low, double High)? Range(long fromNs, long toNs)
    {
        if (_count == 0)
            return null;
        (double Low, double High)? range = null;
        for (var i = Math.Max(Oldest, FirstAfter(fromNs) - 1); i < _count; i++)
        {
            var ppm = _ppm[Slot(i)];
            range = range is var (low, high) ? (Math.Min(low, ppm), Math.Max(high, ppm)) : (ppm, ppm);
            if (StartOf(i) >= toNs)
                break;
        }

        return range is var (least, most) && _isComplete && !Knows(toNs)
            ? (Math.Min(least, -unsampledPpm), Math.Max(most, unsampledPpm))
            : range;
    }

    private long LatestNs => _atNs[Slot(_count - 1)];

    private long Oldest => Math.Max(0, _count - Capacity);

    private static int Slot(long sample) => (int)(sample % Capacity);

    private long StartOf(long sample)
    {
        var atNs = _atNs[Slot(sample)];
        return sample > Oldest ? Math.Max(_atNs[Slot(sample - 1)], atNs - LongestMeanNs) : atNs - HoldNs;
    }

    private double HeightOf(long sample)
    {
        var ppm = _ppm[Slot(sample)];
        var before = sample > Oldest ? _ppm[Slot(sample - 1)] : ppm;
        var after = sample < _count - 1 ? _ppm[Slot(sample + 1)] : ppm;
        return Math.Max(Math.Abs(ppm), Math.Max(Math.Abs(before), Math.Abs(after)))
            + Math.Abs(ppm - before) + Math.Abs(after - ppm);
    }

    private long FirstAfter(long atNs)
    {
        long low = Oldest, high = _count;
        while (low < high)
        {
            var middle = low + ((high - low) / 2);
            if (_atNs[Slot(middle)] <= atNs)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }
}
