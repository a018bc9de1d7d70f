namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// The steps of a percentile distribution as HdrHistogram's <c>PercentileIterator</c> (2.1.12) takes them; enumerating
/// allocates nothing, and a histogram without values has none.
/// </summary>
public readonly ref struct PercentileSteps(LatencyHistogram histogram, int ticksPerHalfDistance)
{
    public Enumerator GetEnumerator() => new(histogram, ticksPerHalfDistance);

    /// <summary>Visits 0, the steps towards 100 as far as values tell them apart, and 100.</summary>
    public ref struct Enumerator(LatencyHistogram histogram, int ticksPerHalfDistance)
    {
        private readonly long _totalCount = histogram.TotalCount;
        private RecordedValues.Enumerator _recorded = histogram.RecordedValues.GetEnumerator();
        private double _nextPercentile;

        public PercentileStep Current { get; private set; }

        public bool MoveNext()
        {
            if (_totalCount == 0 || Current.Percentile == 100)
                return false;
            if (_recorded.Current.CumulativeCount == _totalCount)
                _nextPercentile = 100;
            while (_recorded.Current.Count == 0 || Reached < _nextPercentile)
                _recorded.MoveNext();
            Current = new PercentileStep(_nextPercentile, _recorded.Current.Highest, _recorded.Current.CumulativeCount);
            Advance();
            return true;
        }

        private readonly double Reached => 100.0 * _recorded.Current.CumulativeCount / _totalCount;

        private void Advance()
        {
            var halvings = (long)(Math.Log(100 / (100 - _nextPercentile)) / Math.Log(2)) + 1;
            var next = _nextPercentile + (100.0 / (ticksPerHalfDistance * Math.Pow(2, halvings)));

            // So close to 100 that a step is less than a double can show: with counts beyond 2^50 the end is the next.
            _nextPercentile = next > _nextPercentile && next < 100 ? next : 100;
        }
    }
}

/// <summary>One line of a percentile distribution.</summary>
public readonly record struct PercentileStep(double Percentile, long Value, long CumulativeCount);
