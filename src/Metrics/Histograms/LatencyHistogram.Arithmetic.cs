using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Histograms;

public sealed partial class LatencyHistogram
{
    // Of so many places one is used: to skip the others is quicker than to add their nothing.
    private const int FewOf = 8;

    // Values of the next interval may lie as much below those of the last: two octaves.
    private const int Margin = 2048;

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
        if (_layout.HasSameBucketsAs(other._layout))
        {
            var used = other.UsedBuckets();
            AddCounts(other.Counts[used], used.Start.Value, other.TotalCount);
            AddTotals(other);
            return;
        }

        foreach (var recorded in other.RecordedValues)
            Record(recorded.Lowest, recorded.Count);
        AboveRange += other.AboveRange;
        BelowRange += other.BelowRange;
        SetMissing(Missing + other.Missing, Math.Max(MissingAtLeast, other.MissingAtLeast));
    }

    /// <summary>Takes away what was added before.</summary>
    /// <exception cref="ArgumentException">
    /// The other has other buckets, or counts that this one has not; nothing was taken away.
    /// </exception>
    public void Subtract(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (!_layout.HasSameBucketsAs(other._layout))
            throw new ArgumentException("The histograms have different buckets.", nameof(other));
        if (AboveRange < other.AboveRange || BelowRange < other.BelowRange || Missing < other.Missing
            || HasFewerCountsThan(other))
        {
            throw new ArgumentException("The other histogram has counted values that this one has not.", nameof(other));
        }

        for (var index = 0; index < _counts.Length; index++)
            _counts[index] -= other._counts[index];
        _total.Value -= other.TotalCount;
        // What is left may be anything's: it is looked for from now on.
        _added.Count = -1;
        AboveRange -= other.AboveRange;
        BelowRange -= other.BelowRange;
        Missing -= other.Missing;
    }

    public LatencyHistogram Copy()
    {
        var copy = new LatencyHistogram(LowestDiscernible, HighestTrackable, SignificantDigits);
        copy.Add(this);
        return copy;
    }

    /// <summary>Adds everything to another histogram with the same buckets, and forgets it, in one pass.</summary>
    internal void MoveTo(LatencyHistogram into)
    {
        if (!_layout.HasSameBucketsAs(into._layout))
        {
            into.Add(this);
            Reset();
            return;
        }

        var from = Math.Max(0, _lowestMoved - Margin);
        var left = MoveCounts(into, from, _counts.Length, TotalCount);
        MoveCounts(into, 0, from, left);
        into.AddTotals(this);
        ForgetTotals();
    }

    internal void MoveTo(LatencyHistogram into, ReadOnlySpan<int> places)
    {
        into.Add(this, places);
        foreach (var place in places)
            _counts[place] = 0;
        ForgetTotals();
    }

    /// <summary>Counts all of another histogram with the same buckets, which is in these ascending places.</summary>
    internal void Add(LatencyHistogram other, ReadOnlySpan<int> places)
    {
        foreach (var place in places)
            _counts[place] += other._counts[place];
        if (!places.IsEmpty)
            Widen(places[0], places[^1] + 1);
        AddTotals(other);
    }

    /// <summary>
    /// Latencies fill a small part of the range; to find it is much quicker than to go through all of it. Where all was
    /// added by other histograms it need not even be looked for.
    /// </summary>
    internal Range UsedBuckets() => TotalCount == 0 ? ..0
        : TotalCount == _added.Count ? _added.From.._added.To
        : Counts.IndexOfAnyExcept(0L)..(Counts.LastIndexOfAnyExcept(0L) + 1);

    /// <summary>Says where all values are that were recorded one place at a time.</summary>
    internal void KnowUsed(int from, int to) => (_added.From, _added.To, _added.Count) = (from, to, TotalCount);

    // Until so many are found: neither what lies above them is read nor, as a rule, what lies below.
    private long MoveCounts(LatencyHistogram into, int from, int to, long left)
    {
        var (lowest, end) = (to, from);
        while (left > 0 && _counts.AsSpan(end, to - end).IndexOfAnyExcept(0L) is var next and >= 0)
        {
            var index = end + next;
            lowest = Math.Min(lowest, index);
            end = index + 1;
            into._counts[index] += _counts[index];
            left -= _counts[index];
            _counts[index] = 0;
        }

        if (lowest < end)
        {
            into.Widen(lowest, end);
            _lowestMoved = lowest;
        }

        return left;
    }

    private void AddTotals(LatencyHistogram other)
    {
        _total.Value = checked(_total.Value + other.TotalCount);
        _added.Count += other.TotalCount;
        AboveRange = checked(AboveRange + other.AboveRange);
        BelowRange = checked(BelowRange + other.BelowRange);
        SetMissing(checked(Missing + other.Missing), Math.Max(MissingAtLeast, other.MissingAtLeast));
    }

    private void ForgetTotals()
    {
        (_total.Value, AboveRange, BelowRange) = (0, 0, 0);
        SetMissing(0);
        _added = default;
    }

    private void Widen(int from, int to)
    {
        _added.From = _added.To == 0 ? from : Math.Min(_added.From, from);
        _added.To = Math.Max(_added.To, to);
    }

    // Optimised at once, as it is called some thousand times by what reads a log, and the loops are long.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void AddCounts(ReadOnlySpan<long> counts, int from, long total)
    {
        if (counts.IsEmpty)
            return;
        Widen(from, from + counts.Length);
        // A span of the same length lets the compiler leave the bounds checks out of the loops.
        var own = _counts.AsSpan(from, counts.Length);
        if (total < counts.Length / FewOf)
        {
            // The last of these places is used, or the loop would not end.
            for (var index = 0; index < counts.Length; index++)
            {
                index += counts[index..].IndexOfAnyExcept(0L);
                own[index] += counts[index];
            }

            return;
        }

        for (var index = 0; index < own.Length; index++)
            own[index] += counts[index];
    }

    private bool HasFewerCountsThan(LatencyHistogram other)
    {
        for (var index = 0; index < _counts.Length; index++)
        {
            if (_counts[index] < other._counts[index])
                return true;
        }

        return false;
    }
}
