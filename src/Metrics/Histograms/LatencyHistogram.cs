using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Counts values, nanoseconds as a rule, in HdrHistogram's layout: every value keeps the asked number of significant
/// digits over the whole range, recording takes a few nanoseconds and allocates nothing, and histograms add without
/// loss. Values outside the range are counted apart, in <see cref="AboveRange"/> and <see cref="BelowRange"/>: they
/// are neither clamped nor refused, and no percentile or mean contains them.
/// </summary>
/// <remarks>
/// Not safe for several threads at once; <c>LatencyRecorder</c> is the way from a measuring thread to a reporting one.
/// Layout and results follow the Java HdrHistogram 2.1.12.
/// </remarks>
public sealed partial class LatencyHistogram
{
    private const long OneHourInNanoseconds = 3_600_000_000_000;

    private readonly long[] _counts;
    private readonly BucketLayout _layout;
    private IsolatedCount _total;

    // What came from other histograms, and the places in which that lies: recording itself stays as short as it is.
    private (long Count, int From, int To) _added;
    private int _lowestMoved;
    private long _missingAtLeast;

    /// <summary>A histogram without values; all of its memory is allocated here.</summary>
    /// <param name="lowestDiscernible">The unit: smaller differences need not be told apart. At least 1.</param>
    /// <param name="highestTrackable">Values up to this one are counted; at least twice the unit.</param>
    /// <param name="significantDigits">Decimal digits that every value keeps: 1 to 5.</param>
    /// <exception cref="ArgumentOutOfRangeException">The layout has no such range or digits.</exception>
    public LatencyHistogram(long lowestDiscernible, long highestTrackable, int significantDigits)
    {
        _layout = new BucketLayout(lowestDiscernible, highestTrackable, significantDigits);
        _counts = new long[_layout.Length];
        LowestDiscernible = lowestDiscernible;
        HighestTrackable = highestTrackable;
        SignificantDigits = significantDigits;
    }

    /// <summary>The unit, as given.</summary>
    public long LowestDiscernible { get; }

    /// <summary>The end of the range, as given.</summary>
    public long HighestTrackable { get; }

    /// <summary>The end of the range in effect: the last bucket is always a whole one.</summary>
    public long HighestRecordable => _layout.HighestRecordable;

    /// <summary>Decimal digits that every value keeps.</summary>
    public int SignificantDigits { get; }

    /// <summary>How often the width of its steps doubles, and once more.</summary>
    public int BucketCount => _layout.BucketCount;

    /// <summary>How many steps of one width there are at first.</summary>
    public int SubBucketCount => _layout.SubBucketCount;

    /// <summary>How many values were counted within the range.</summary>
    public long TotalCount => _total.Value;

    /// <summary>How many values were above <see cref="HighestRecordable"/>.</summary>
    public long AboveRange { get; internal set; }

    /// <summary>How many values were negative.</summary>
    public long BelowRange { get; internal set; }

    /// <summary>
    /// How many samples never got a value, because they were lost, timed out, refused or never sent: each counts as
    /// slower than everything that was measured.
    /// </summary>
    public long Missing { get; private set; }

    /// <summary>
    /// What the slowest of them took at least, as far as that is known: its age when it was given up. Zero where none
    /// is missing, or nothing is known of them.
    /// </summary>
    public long MissingAtLeast => Missing > 0 ? _missingAtLeast : 0;

    /// <summary>How many samples lie above everything that was counted: those missing or above the range.</summary>
    public long Beyond => AboveRange + Missing;

    internal static int LatencyBuckets { get; } = new BucketLayout(1, OneHourInNanoseconds, 3).Length;

    internal ref readonly BucketLayout Layout => ref _layout;

    internal ReadOnlySpan<long> Counts => _counts;

    /// <summary>The suite's own range: one nanosecond to at least one hour with three digits.</summary>
    public static LatencyHistogram ForLatency() => new(1, OneHourInNanoseconds, 3);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(long value)
    {
        // One unsigned comparison finds both the negative and the too large.
        if ((ulong)value <= (ulong)_layout.HighestRecordable)
        {
            _counts[_layout.IndexOf(value)]++;
            _total.Value++;
        }
        else
        {
            RecordOutOfRange(value, 1);
        }
    }

    /// <summary>Counts a value several times.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The count is negative.</exception>
    /// <exception cref="OverflowException">There would be more than 2^63 - 1 values.</exception>
    public void Record(long value, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if ((ulong)value > (ulong)_layout.HighestRecordable)
        {
            RecordOutOfRange(value, count);
            return;
        }

        _total.Value = checked(_total.Value + count);
        _counts[_layout.IndexOf(value)] += count;
    }

    /// <summary>Says how many samples have no value, whatever was said before.</summary>
    /// <param name="count">How many.</param>
    /// <param name="atLeast">What the slowest of them took at least; see <see cref="MissingAtLeast"/>.</param>
    public void SetMissing(long count, long atLeast = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        (Missing, _missingAtLeast) = (count, atLeast);
    }

    public void AddMissing(long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Missing = checked(Missing + count);
    }

    public void Reset()
    {
        SetMissing(0);
        if (_total.Value > 0)
            _counts.AsSpan(UsedBuckets()).Clear();
        _total.Value = 0;
        AboveRange = 0;
        BelowRange = 0;
        _added = default;
    }

    internal void RecordAt(int index, long count)
    {
        _total.Value = checked(_total.Value + count);
        _counts[index] += count;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RecordOutOfRange(long value, long count)
    {
        if (value < 0)
            BelowRange = checked(BelowRange + count);
        else
            AboveRange = checked(AboveRange + count);
    }
}
