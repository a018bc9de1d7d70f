namespace RedisLatency.Metrics.Histograms;

/// <summary>The values that a histogram has counted, in ascending order; enumerating allocates nothing.</summary>
public readonly ref struct RecordedValues
{
    private readonly LatencyHistogram _histogram;

    internal RecordedValues(LatencyHistogram histogram) => _histogram = histogram;

    public Enumerator GetEnumerator() => new(_histogram);

    /// <summary>Visits each value that has a count.</summary>
    public ref struct Enumerator
    {
        private readonly LatencyHistogram _histogram;
        private int _index = -1;
        private long _cumulativeCount;

        internal Enumerator(LatencyHistogram histogram) => _histogram = histogram;

        public RecordedValue Current { get; private set; }

        public bool MoveNext()
        {
            var start = _index + 1;
            var distance = _histogram.Counts[start..].IndexOfAnyExcept(0L);
            if (distance < 0)
                return false;
            _index = start + distance;
            var count = _histogram.Counts[_index];
            _cumulativeCount += count;
            ref readonly var layout = ref _histogram.Layout;
            Current = new RecordedValue(
                layout.LowestAt(_index), layout.MedianAt(_index), layout.HighestAt(_index), count, _cumulativeCount);
            return true;
        }
    }
}

/// <summary>Values that a histogram has counted as one.</summary>
/// <param name="Lowest">The lowest value that is counted here.</param>
/// <param name="Median">The middle of the values that are counted here.</param>
/// <param name="Highest">The highest value that is counted here.</param>
/// <param name="Count">How many were recorded; never 0.</param>
/// <param name="CumulativeCount">How many were recorded here and below.</param>
public readonly record struct RecordedValue(long Lowest, long Median, long Highest, long Count, long CumulativeCount);
