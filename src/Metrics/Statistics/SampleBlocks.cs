using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Statistics;

/// <summary>
/// The samples of a series in consecutive blocks of about equal duration: how many of each block lie at or below a
/// value is what tells how far neighbours depend on each other. Where there is no more room, neighbouring blocks become
/// one, so memory is bounded, and blocks grow with the run. Allocates nothing once it is made.
/// </summary>
/// <remarks>One thread at a time.</remarks>
public sealed class SampleBlocks
{
    // Twice as many as BlockedShare wants: after blocks have become one there are enough.
    private const int MostBlocks = 128;
    private const int BelowAll = int.MinValue;
    private const int AboveAll = int.MaxValue;

    // Of a block: the buckets of its values in ascending order, and how many there are; blocks one behind the other.
    private readonly int[] _buckets;
    private readonly long[] _counts;
    private readonly int[] _ends = new int[MostBlocks + 1];
    private readonly TimeSpan[] _durations = new TimeSpan[MostBlocks + 1];
    private readonly int[] _mergedBuckets;
    private readonly long[] _mergedCounts;
    private TimeSpan _wanted;
    private int _end;

    /// <summary>No samples; all of its memory is allocated here.</summary>
    /// <param name="isSigned">Whether values may be negative.</param>
    public SampleBlocks(bool isSigned = false)
    {
        // Of each sign, and what is out of range on either side.
        var mostBuckets = ((isSigned ? 2 : 1) * LatencyHistogram.LatencyBuckets) + 2;
        // Nothing is read that was not written: a megabyte and a half need not be cleared. Among the other large arrays
        // they would set off a collection or two at the start of every run.
        _mergedBuckets = GC.AllocateUninitializedArray<int>(mostBuckets, pinned: true);
        _mergedCounts = GC.AllocateUninitializedArray<long>(mostBuckets, pinned: true);
        _buckets = GC.AllocateUninitializedArray<int>(3 * mostBuckets, pinned: true);
        _counts = GC.AllocateUninitializedArray<long>(3 * mostBuckets, pinned: true);
    }

    public int Count { get; private set; }

    /// <summary>
    /// Adds the samples that came next, and moves them on: their buckets are known by then, and not looked for again.
    /// </summary>
    /// <param name="samples">Always of one layout; empty afterwards.</param>
    /// <param name="duration">In what time; blocks are to become equally long.</param>
    /// <param name="into">Where to, of the same layout.</param>
    public void Move(LatencyHistogram samples, TimeSpan duration, LatencyHistogram into)
    {
        Begin(samples.TotalCount, duration);
        Append(BelowAll, samples.BelowRange);
        var first = _end;
        AppendValues(samples);
        var buckets = _buckets.AsSpan(first, _end - first);
        Append(AboveAll, samples.AboveRange);
        samples.MoveTo(into, buckets);
        End(duration);
    }

    /// <summary>Adds the samples that came next, of either sign.</summary>
    /// <param name="samples">Always of one layout.</param>
    /// <param name="duration">In what time; blocks are to become equally long.</param>
    public void Add(SignedLatencyHistogram samples, TimeSpan duration)
    {
        Begin(samples.TotalCount, duration);
        Append(BelowAll, samples.Negatives.AboveRange);
        var negatives = samples.Negatives.Counts;
        for (var i = negatives.LastIndexOfAnyExcept(0L); i >= 0; i = negatives[..i].LastIndexOfAnyExcept(0L))
            Append(~i, negatives[i]);
        AppendValues(samples.Values);
        Append(AboveAll, samples.Values.AboveRange);
        End(duration);
    }

    /// <summary>In what time a block's samples came.</summary>
    public TimeSpan DurationOf(int block) => _durations[block];

    /// <summary>Adds a block's samples, none of which is negative, to a histogram of their layout.</summary>
    public void AddTo(int block, LatencyHistogram into)
    {
        for (var i = StartOf(block); i < _ends[block]; i++)
        {
            if (_buckets[i] == AboveAll)
                into.AboveRange += _counts[i];
            else if (_buckets[i] == BelowAll)
                into.BelowRange += _counts[i];
            else
                into.RecordAt(_buckets[i], _counts[i]);
        }
    }

    /// <summary>Forgets all samples; its memory stays.</summary>
    public void Reset() => (Count, _end, _wanted) = (0, 0, TimeSpan.Zero);

    /// <summary>How many samples each block has, and how many of them lie at or below a bucket.</summary>
    /// <param name="bucket">A bucket of the layout; of negative values its complement.</param>
    /// <param name="shareAt">Which share of those in that bucket counts as below.</param>
    internal (double[] AtOrBelow, double[] All) CountsAt(int bucket, double shareAt)
    {
        var (atOrBelow, all) = (new double[Count], new double[Count]);
        for (var block = 0; block < Count; block++)
        {
            var of = StartOf(block).._ends[block];
            var counts = _counts.AsSpan(of);
            var found = _buckets.AsSpan(of).BinarySearch(bucket);
            var below = Sum(counts[..(found < 0 ? ~found : found)]);
            all[block] = below + Sum(counts[(found < 0 ? ~found : found)..]);
            atOrBelow[block] = found < 0 ? below : below + (shareAt * counts[found]);
        }

        return (atOrBelow, all);
    }

    private static long Sum(ReadOnlySpan<long> counts)
    {
        var sum = 0L;
        foreach (var count in counts)
            sum += count;
        return sum;
    }

    private int StartOf(int block) => block == 0 ? 0 : _ends[block - 1];

    private void Begin(long samples, TimeSpan duration)
    {
        var most = (int)Math.Min(samples + 2, _mergedBuckets.Length);
        while ((Count == MostBlocks && !BelongsToLast(duration)) || (_buckets.Length - _end < most && Count > 1))
            MergePairs();
    }

    private void AppendValues(LatencyHistogram samples)
    {
        var used = samples.UsedBuckets();
        var counts = samples.Counts[..used.End.Value];
        for (var i = used.Start.Value; i < counts.Length; i++)
        {
            // Neighbours are mostly used, too; to look for the next one costs more than to look at it.
            if (counts[i] == 0)
                i += counts[i..].IndexOfAnyExcept(0L);
            Append(i, counts[i]);
        }
    }

    private void Append(int bucket, long count)
    {
        if (count == 0)
            return;
        _buckets[_end] = bucket;
        _counts[_end++] = count;
    }

    private void End(TimeSpan duration)
    {
        var belongsToLast = BelongsToLast(duration);
        _ends[Count] = _end;
        _durations[Count++] = duration;
        if (belongsToLast)
            MergeLast();
    }

    // Where it brings the last one nearer to the length of the others.
    private bool BelongsToLast(TimeSpan duration) => Count > 0 && _durations[Count - 1] + (duration / 2) <= _wanted;

    private void MergeLast()
    {
        var target = StartOf(Count - 2);
        _end = Merge(Count - 2, target);
        _durations[Count - 2] += _durations[Count - 1];
        Count--;
        _ends[Count - 1] = _end;
    }

    private void MergePairs()
    {
        var end = 0;
        var merged = 0;
        for (var block = 0; block < Count; block += 2)
        {
            var duration = _durations[block] + (block + 1 < Count ? _durations[block + 1] : TimeSpan.Zero);
            end = Merge(block, end);
            _ends[merged] = end;
            _durations[merged++] = duration;
        }

        (Count, _end) = (merged, end);
        _wanted = _durations[0];
    }

    // Puts a block and the next one, if there is one, at a target at or before them.
    private int Merge(int block, int target)
    {
        var (first, firstEnd) = (StartOf(block), _ends[block]);
        var (second, secondEnd) = block + 1 < Count ? (firstEnd, _ends[block + 1]) : (firstEnd, firstEnd);
        var length = 0;
        while (first < firstEnd || second < secondEnd)
        {
            var takesFirst = second == secondEnd || (first < firstEnd && _buckets[first] <= _buckets[second]);
            var takesSecond = first == firstEnd || (second < secondEnd && _buckets[second] <= _buckets[first]);
            _mergedBuckets[length] = takesFirst ? _buckets[first] : _buckets[second];
            _mergedCounts[length++] = (takesFirst ? _counts[first] : 0) + (takesSecond ? _counts[second] : 0);
            first += takesFirst ? 1 : 0;
            second += takesSecond ? 1 : 0;
        }

        _mergedBuckets.AsSpan(0, length).CopyTo(_buckets.AsSpan(target));
        _mergedCounts.AsSpan(0, length).CopyTo(_counts.AsSpan(target));
        return target + length;
    }
}
