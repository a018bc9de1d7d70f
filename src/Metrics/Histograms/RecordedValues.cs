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
