using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// One direction's latencies in nanoseconds, corrected by the offset: all of them, the negative ones, too. Not safe for
/// several threads at once.
/// </summary>
/// <param name="hasBlocks">Whether it is a whole run's, and what is added is kept in blocks besides.</param>
public sealed class OneWayDirection(bool hasBlocks = false)
{
    private Int128 _sum;
    private Int128 _sumFromIntended;

    /// <summary>From the actual send; of the way back, from the echo.</summary>
    public SignedLatencyHistogram FromSent { get; } = SignedLatencyHistogram.ForLatency();

    /// <summary>
    /// From the intended send; of the way back, from the receipt, which is when the echo was due: the consumer's own
    /// delay is in it.
    /// </summary>
    public SignedLatencyHistogram FromIntended { get; } = SignedLatencyHistogram.ForLatency();

    /// <summary>The same in blocks, by which its percentiles have intervals; null where none are kept.</summary>
    public SampleBlocks? SentBlocks { get; } = hasBlocks ? new SampleBlocks(isSigned: true) : null;

    /// <summary>Those of <see cref="FromIntended"/>.</summary>
    public SampleBlocks? IntendedBlocks { get; } = hasBlocks ? new SampleBlocks(isSigned: true) : null;

    /// <summary>
    /// How much longer each message took than the fastest of the last seconds: the offset is not in it, only the skew,
    /// and that is removed.
    /// </summary>
    public LatencyHistogram Variation { get; } = LatencyHistogram.ForLatency();

    /// <summary>By how much values were below the floor. They are in the other histograms as well.</summary>
    public LatencyHistogram BelowFloor { get; } = LatencyHistogram.ForLatency();

    /// <summary>How many messages there are, those out of the histograms' range among them.</summary>
    public long Count { get; private set; }

    /// <summary>How many took less than nothing.</summary>
    public long Negatives { get; private set; }

    /// <summary>How many took less than nothing by more than their bound: the offset or its bound is wrong.</summary>
    public long NegativesBeyondError { get; private set; }

    /// <summary>How many were below the floor by more than their bound: floor, offset or bound is wrong.</summary>
    public long BelowFloorBeyondError { get; private set; }

    /// <summary>How many were lost, never sent or could not be corrected: slower than all others.</summary>
    public long Missing { get; private set; }

    /// <summary>The smallest, exactly; 0 without messages.</summary>
    public long MinNs { get; private set; }

    /// <summary>The largest, exactly; 0 without messages.</summary>
    public long MaxNs { get; private set; }

    /// <summary>The largest bound of any message; 0 without messages.</summary>
    public long WorstErrorNs { get; private set; }

    /// <summary>The mean from the actual send, exactly; 0 without messages.</summary>
    public double MeanNs => Mean(_sum);

    /// <summary>The mean from the intended send, exactly; 0 without messages.</summary>
    public double MeanFromIntendedNs => Mean(_sumFromIntended);

    /// <summary>Counts as missing what was due and has no value, when nothing more can come.</summary>
    /// <param name="due">How many messages there would be had none been lost, or never sent.</param>
    public void CountMissing(long due)
    {
        var more = Math.Max(0, due - Count - Missing);
        Missing += more;
        FromSent.Values.AddMissing(more);
        FromIntended.Values.AddMissing(more);
        Variation.AddMissing(more);
    }

    /// <summary>Counts everything that another one has counted.</summary>
    /// <param name="other">The next messages.</param>
    /// <param name="duration">In what time they came.</param>
    public void Add(OneWayDirection other, TimeSpan duration)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (other.Count == 0)
            return;
        SentBlocks?.Add(other.FromSent, duration);
        IntendedBlocks?.Add(other.FromIntended, duration);
        FromSent.Add(other.FromSent);
        FromIntended.Add(other.FromIntended);
        Variation.Add(other.Variation);
        BelowFloor.Add(other.BelowFloor);
        MinNs = Count == 0 ? other.MinNs : Math.Min(MinNs, other.MinNs);
        MaxNs = Count == 0 ? other.MaxNs : Math.Max(MaxNs, other.MaxNs);
        WorstErrorNs = Math.Max(WorstErrorNs, other.WorstErrorNs);
        Count += other.Count;
        Negatives += other.Negatives;
        NegativesBeyondError += other.NegativesBeyondError;
        BelowFloorBeyondError += other.BelowFloorBeyondError;
        _sum += other._sum;
        _sumFromIntended += other._sumFromIntended;
    }

    /// <summary>Forgets everything.</summary>
    public void Reset()
    {
        if (Count == 0)
            return;
        FromSent.Reset();
        FromIntended.Reset();
        Variation.Reset();
        BelowFloor.Reset();
        Count = Missing = Negatives = NegativesBeyondError = BelowFloorBeyondError = 0;
        MinNs = MaxNs = WorstErrorNs = 0;
        _sum = _sumFromIntended = 0;
    }

    /// <summary>Counts a message.</summary>
    /// <param name="valueNs">From the actual send.</param>
    /// <param name="fromIntendedNs">From the intended send.</param>
    /// <param name="errorNs">How far both may be wrong.</param>
    /// <param name="floorNs">What it takes at least.</param>
    internal void Record(long valueNs, long fromIntendedNs, long errorNs, long floorNs)
    {
        FromSent.Record(valueNs);
        FromIntended.Record(fromIntendedNs);
        MinNs = Count == 0 ? valueNs : Math.Min(MinNs, valueNs);
        MaxNs = Count == 0 ? valueNs : Math.Max(MaxNs, valueNs);
        WorstErrorNs = Math.Max(WorstErrorNs, errorNs);
        Count++;
        _sum += valueNs;
        _sumFromIntended += fromIntendedNs;
        if (valueNs < floorNs)
            RecordBelowFloor(valueNs, errorNs, floorNs);
        if (valueNs >= 0)
            return;
        Negatives++;
        if ((Int128)valueNs + errorNs < 0)
            NegativesBeyondError++;
    }

    private void RecordBelowFloor(long valueNs, long errorNs, long floorNs)
    {
        var shortfall = (Int128)floorNs - valueNs;
        BelowFloor.Record((long)Int128.Min(shortfall, long.MaxValue));
        if (shortfall > errorNs)
            BelowFloorBeyondError++;
    }

    private double Mean(Int128 sum) => Count == 0 ? 0 : (double)sum / Count;
}
