namespace RedisLatency.Metrics.Histograms;

/// <summary>The values that a histogram has counted, in ascending order; enumerating allocates nothing.</summary>
public readonly ref struct RecordedValues(LatencyHistogram histogram)
{
    public Enumerator GetEnumerator() => new(histogram);

    public ref struct Enumerator(LatencyHistogram histogram)
    {
        private int _index = -1;
        private long _cumulativeCount;

        public RecordedValue Current { get; private set; }

        public bool MoveNext()
        {
            // What lies above the last value was never written, nor need it be read.
            if (_cumulativeCount == histogram.TotalCount)
                return false;
            var start = _index + 1;
            var distance = histogram.Counts[start..].IndexOfAnyExcept(0L);
            if (distance < 0)
                return false;
            _index = start + distance;
            var count = histogram.Counts[_index];
            _cumulativeCount += count;
            ref readonly var layout = ref histogram.Layout;
            Current = new RecordedValue(
                layout.LowestAt(_index), layout.MedianAt(_index), layout.HighestAt(_index), count, _cumulativeCount);
            return true;
        }
    }
}

/// <summary>
/// Values that a histogram has counted as one, with the middle of them; the cumulative count is of all up to here.
/// </summary>
public readonly record struct RecordedValue(long Lowest, long Median, long Highest, long Count, long CumulativeCount);
