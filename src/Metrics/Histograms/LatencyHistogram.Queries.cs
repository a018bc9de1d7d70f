namespace RedisLatency.Metrics.Histograms;

public sealed partial class LatencyHistogram : IEquatable<LatencyHistogram>
{
    /// <summary>The lowest value that counts as one with the smallest recorded; 0 without values.</summary>
    public long Min => _total.Value == 0 ? 0 : _layout.LowestAt(UsedBuckets().Start.Value);

    /// <summary>The highest value that counts as one with the largest recorded; 0 without values.</summary>
    public long Max => _total.Value == 0 ? 0 : _layout.HighestAt(LastIndex);

    /// <summary>The mean of the values, each taken as the middle of its equivalents; 0 without values.</summary>
    public double Mean
    {
        get
        {
            var sum = 0.0;
            foreach (var recorded in RecordedValues)
                sum += (double)recorded.Median * recorded.Count;
            return _total.Value == 0 ? 0 : sum / _total.Value;
        }
    }

    /// <summary>The standard deviation of the values, taken as for <see cref="Mean"/>; 0 without values.</summary>
    public double StandardDeviation
    {
        get
        {
            var mean = Mean;
            var squares = 0.0;
            foreach (var recorded in RecordedValues)
            {
                var deviation = recorded.Median - mean;
                squares += deviation * deviation * recorded.Count;
            }

            return _total.Value == 0 ? 0 : Math.Sqrt(squares / _total.Value);
        }
    }

    /// <summary>The recorded values in ascending order.</summary>
    public RecordedValues RecordedValues => new(this);

    /// <summary>The place of the largest recorded value; 0 without values.</summary>
    internal int LastIndex => Math.Max(UsedBuckets().End.Value - 1, 0);

    /// <summary>
    /// The highest equivalent of the smallest value that at least this share of all values does not exceed. At 0 the
    /// lowest equivalent of the smallest value; 0 without values.
    /// </summary>
    /// <param name="percentile">0 to 100; what lies outside is taken as the nearer end.</param>
    public long ValueAtPercentile(double percentile)
    {
        // One ulp less, so that rounding does not carry an exact share into the next bucket.
        var share = Math.Clamp(Math.BitDecrement(percentile), 0, 100);
        var rank = Math.Max((long)Math.Ceiling(share * _total.Value / 100), 1);
        return IndexAtRank(rank) switch
        {
            < 0 => 0,
            var index when percentile == 0 => _layout.LowestAt(index),
            var index => _layout.HighestAt(index),
        };
    }

    /// <summary>How many values lie between two, those that are equivalent to either included.</summary>
    public long CountBetween(long lowest, long highest)
    {
        if (highest < 0 || highest < lowest || lowest > HighestRecordable)
            return 0;
        var first = _layout.IndexOf(Math.Max(lowest, 0));
        var last = _layout.IndexOf(Math.Min(highest, HighestRecordable));
        var count = 0L;
        foreach (var countHere in Counts[first..(last + 1)])
            count += countHere;
        return count;
    }

    /// <summary>How many values are equivalent to this one.</summary>
    public long CountAt(long value) => CountBetween(value, value);

    /// <summary>The lowest value that is counted as one with this one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of range.</exception>
    public long LowestEquivalent(long value) => _layout.LowestAt(IndexWithinRange(value));

    /// <summary>The highest value that is counted as one with this one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of range.</exception>
    public long HighestEquivalent(long value) => _layout.HighestAt(IndexWithinRange(value));

    /// <summary>How many values count as one with this one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of range.</exception>
    public long WidthAt(long value) => HighestEquivalent(value) - LowestEquivalent(value) + 1;

    /// <summary>
    /// The percentiles 0, then in steps that halve with every halving of the distance to 100, and 100: the lines of a
    /// percentile distribution.
    /// </summary>
    /// <param name="ticksPerHalfDistance">Steps per halving; at least 1.</param>
    public PercentileSteps Percentiles(int ticksPerHalfDistance)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(ticksPerHalfDistance, 1);
        return new PercentileSteps(this, ticksPerHalfDistance);
    }

    public bool Equals(LatencyHistogram? other) =>
        other is not null
        && LowestDiscernible == other.LowestDiscernible
        && HighestTrackable == other.HighestTrackable
        && SignificantDigits == other.SignificantDigits
        && TotalCount == other.TotalCount
        && AboveRange == other.AboveRange
        && BelowRange == other.BelowRange
        && (Missing, MissingAtLeast) == (other.Missing, other.MissingAtLeast)
        && Counts.SequenceEqual(other.Counts);

    public override bool Equals(object? obj) => Equals(obj as LatencyHistogram);

    /// <summary>Of what never changes: range and digits.</summary>
    public override int GetHashCode() => HashCode.Combine(LowestDiscernible, HighestTrackable, SignificantDigits);

    /// <summary>The place of the value with a rank (1 is the smallest), or -1 where there are not so many.</summary>
    internal int IndexAtRank(long rank)
    {
        if (rank > _total.Value)
            return -1;
        var counts = Counts;
        var seen = 0L;
        for (var index = UsedBuckets().Start.Value; index < counts.Length; index++)
        {
            seen += counts[index];
            if (seen >= rank)
                return index;
        }

        return -1;
    }

    private int IndexWithinRange(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, HighestRecordable);
        return _layout.IndexOf(value);
    }
}

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
