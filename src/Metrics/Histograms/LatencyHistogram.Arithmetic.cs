namespace RedisLatency.Metrics.Histograms;

public sealed partial class LatencyHistogram
{
    /// <summary>Counts everything that another histogram has counted, the values out of range too.</summary>
    /// <remarks>
    /// Of a histogram with other buckets every value is recorded at its lowest equivalent, which is where it would have
    /// been recorded here if the other has no fewer digits; what lies above this range goes to
    /// <see cref="AboveRange"/>.
    /// </remarks>
    /// <exception cref="OverflowException">There would be more than 2^63 - 1 values; nothing was added.</exception>
    public void Add(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        _ = checked(TotalCount + other.TotalCount + Beyond + other.Beyond);
        _ = checked(BelowRange + other.BelowRange);
        if (_layout.HasSamePlacesAs(other._layout))
        {
            // A fixed span lets the compiler leave the bounds checks out of the loop.
            var own = _counts.AsSpan();
            var counts = other.Counts[..own.Length];
            for (var index = 0; index < own.Length; index++)
                own[index] += counts[index];
            _total.Value += other.TotalCount;
        }
        else
        {
            foreach (var recorded in other.RecordedValues)
                Record(recorded.Lowest, recorded.Count);
        }

        AboveRange += other.AboveRange;
        BelowRange += other.BelowRange;
        Missing += other.Missing;
    }

    /// <summary>Takes away what was added before.</summary>
    /// <exception cref="ArgumentException">
    /// The other has other buckets, or counts that this one has not; nothing was taken away.
    /// </exception>
    public void Subtract(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (!_layout.HasSamePlacesAs(other._layout))
            throw new ArgumentException("The histograms have different buckets.", nameof(other));
        if (AboveRange < other.AboveRange || BelowRange < other.BelowRange || Missing < other.Missing
            || LacksCountsOf(other))
        {
            throw new ArgumentException("The other histogram has counted values that this one has not.", nameof(other));
        }

        for (var index = 0; index < _counts.Length; index++)
            _counts[index] -= other._counts[index];
        _total.Value -= other.TotalCount;
        AboveRange -= other.AboveRange;
        BelowRange -= other.BelowRange;
        Missing -= other.Missing;
    }

    /// <summary>An equal histogram of its own.</summary>
    public LatencyHistogram Copy()
    {
        var copy = new LatencyHistogram(LowestDiscernible, HighestTrackable, SignificantDigits);
        copy.Add(this);
        return copy;
    }

    /// <summary>Makes another histogram count what this one counts, and forget what it had.</summary>
    public void CopyTo(LatencyHistogram target)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (ReferenceEquals(this, target))
            return;
        target.Reset();
        target.Add(this);
    }

    /// <summary>
    /// A copy with the values that a measurement which waited for each reply has left out; see
    /// <see cref="RecordWithExpectedInterval(long, long)"/>. Only for data that was recorded without the correction.
    /// </summary>
    public LatencyHistogram CopyCorrectedForCoordinatedOmission(long expectedInterval)
    {
        var copy = new LatencyHistogram(LowestDiscernible, HighestTrackable, SignificantDigits);
        foreach (var recorded in RecordedValues)
            copy.RecordWithExpectedInterval(recorded.Highest, recorded.Count, expectedInterval);
        copy.AboveRange = AboveRange;
        copy.BelowRange = BelowRange;
        copy.Missing = Missing;
        return copy;
    }

    private bool LacksCountsOf(LatencyHistogram other)
    {
        for (var index = 0; index < _counts.Length; index++)
        {
            if (_counts[index] < other._counts[index])
                return true;
        }

        return false;
    }
}
