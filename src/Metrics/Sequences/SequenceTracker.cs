namespace RedisLatency.Metrics.Sequences;

/// <summary>
/// Follows the sequence numbers of one producer and stream as they reach one consumer (or come back from it), and
/// tells what was lost, duplicated, reordered or late: exactly, whatever the order of arrival and however long the
/// run. Loss and duplication as in RFC 2680 and RFC 5560, reordering as RFC 4737 defines its singleton.
/// </summary>
/// <remarks>
/// One thread observes. <see cref="Count"/> belongs to that thread, too; the running properties may be read from
/// any thread and may lag. In steady state nothing is allocated; memory grows only with pages of 65,536 numbers of
/// which one is still missing (8 KiB each).
/// </remarks>
public sealed class SequenceTracker
{
    /// <summary>
    /// The highest number that is anybody's count: 2^48. At ten million messages a second a stream comes to it in ten
    /// months.
    /// </summary>
    public const long HighestNumber = 1L << 48;

    /// <summary>How far ahead of the highest number so far the next may be, unless said otherwise: 2^26.</summary>
    public const long DefaultMaximumGap = 1L << 26;

    private readonly long _firstSequence;
    private readonly long _maximumGap;
    private readonly SequenceSet _received;

    // Kept apart from the counter because the sender may turn out to have stopped below some that came.
    private readonly SequenceSet _expired;
    private long _highest = -1;

    /// <summary>Starts to follow a stream of which nothing has come yet.</summary>
    /// <param name="firstSequence">The number of the first message: zero, or later for one who joined later.</param>
    /// <param name="maximumGap">
    /// How far ahead of the highest number so far the next may be: what is farther is taken for damage, and refused.
    /// </param>
    public SequenceTracker(long firstSequence = 0, long maximumGap = DefaultMaximumGap)
        : this(firstSequence, maximumGap, SequenceSet.DefaultPageBits)
    {
    }

    internal SequenceTracker(long firstSequence, long maximumGap, int pageBits)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(firstSequence);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maximumGap);
        _firstSequence = firstSequence;
        _maximumGap = maximumGap;
        _received = new SequenceSet(pageBits);
        _expired = new SequenceSet(pageBits);
    }

    /// <summary>Different numbers that came, in time or late.</summary>
    public long Received => _received.Count;

    /// <summary>Arrivals beyond the first of the same number.</summary>
    public long Duplicated { get; private set; }

    /// <summary>First arrivals below the highest number that had come.</summary>
    public long Reordered { get; private set; }

    /// <summary>Arrivals that were not counted, because no sender can have sent that number yet.</summary>
    public long Refused { get; private set; }

    /// <summary>The highest number that came, or one below the first where nothing did.</summary>
    public long Highest => _firstSequence + _highest;

    internal int PagesHeld => _received.PagesHeld + _expired.PagesHeld;

    /// <summary>Notes an arrival where it is not known how many were sent.</summary>
    public SequenceArrival Observe(long sequence, bool afterDeadline) =>
        Observe(sequence, afterDeadline, long.MaxValue);

    /// <summary>Notes an arrival.</summary>
    /// <param name="sequence">The number that came; anything, even damage.</param>
    /// <param name="afterDeadline">Whether it came after its receive deadline.</param>
    /// <param name="sentSoFar">How many were sent: a number beyond is refused.</param>
    public SequenceArrival Observe(long sequence, bool afterDeadline, long sentSoFar)
    {
        var index = sequence - _firstSequence;
        if (sequence < _firstSequence || index >= sentSoFar || index - _maximumGap > _highest)
        {
            Refused++;
            return SequenceArrival.Refused;
        }

        if (!_received.Add(index))
        {
            Duplicated++;
            return SequenceArrival.Duplicate;
        }

        var arrival = SequenceArrival.First;
        if (index > _highest)
        {
            _highest = index;
        }
        else
        {
            Reordered++;
            arrival |= SequenceArrival.Reordered;
        }

        if (afterDeadline)
        {
            _expired.Add(index);
            arrival |= SequenceArrival.Late;
        }

        return arrival;
    }

    /// <summary>What became of the first <paramref name="sent"/> messages.</summary>
    public SequenceCounts Count(long sent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sent);
        var received = _received.CountBelow(sent);
        var late = _expired.CountBelow(sent);
        return new SequenceCounts(
            Sent: sent,
            ReceivedInTime: received - late,
            Late: late,
            Lost: sent - received,
            Duplicated: Duplicated,
            Reordered: Reordered,
            Refused: Refused,
            BeyondSent: _received.Count - received);
    }
}
