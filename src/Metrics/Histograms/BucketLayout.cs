using System.Numerics;
using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>HdrHistogram's buckets, doubling in width, each divided linearly (AbstractHistogram.java 2.1.12).</summary>
internal readonly struct BucketLayout
{
    private readonly int _unitMagnitude;
    private readonly int _subBucketHalfCountMagnitude;
    private readonly int _leadingZeroCountBase;
    private readonly long _subBucketMask;

    internal BucketLayout(long lowestDiscernible, long highestTrackable, int significantDigits)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(lowestDiscernible, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lowestDiscernible, long.MaxValue / 2);
        ArgumentOutOfRangeException.ThrowIfLessThan(highestTrackable, lowestDiscernible * 2);
        ArgumentOutOfRangeException.ThrowIfLessThan(significantDigits, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(significantDigits, 5);

        var singleUnitResolution = 2L;
        for (var digit = 0; digit < significantDigits; digit++)
            singleUnitResolution *= 10;
        var subBucketCountMagnitude = BitOperations.Log2((ulong)singleUnitResolution - 1) + 1;
        _unitMagnitude = BitOperations.Log2((ulong)lowestDiscernible);
        if (subBucketCountMagnitude + _unitMagnitude > 62)
        {
            throw new ArgumentOutOfRangeException(
                nameof(lowestDiscernible), lowestDiscernible, $"Too large for {significantDigits} significant digits.");
        }

        SubBucketCount = 1 << subBucketCountMagnitude;
        _subBucketHalfCountMagnitude = subBucketCountMagnitude - 1;
        _leadingZeroCountBase = 64 - _unitMagnitude - subBucketCountMagnitude;
        _subBucketMask = (SubBucketCount - 1L) << _unitMagnitude;
        BucketCount = 1;
        while ((((ulong)SubBucketCount << (_unitMagnitude + BucketCount - 1)) - 1) < (ulong)highestTrackable)
            BucketCount++;
        HighestRecordable = (long)(((ulong)SubBucketCount << (_unitMagnitude + BucketCount - 1)) - 1);
        Length = (BucketCount + 1) * (SubBucketCount / 2);
    }

    internal int BucketCount { get; }
    internal int SubBucketCount { get; }
    internal int Length { get; }

    /// <summary>The last value of the last bucket: the highest trackable one, or some above it.</summary>
    internal long HighestRecordable { get; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int IndexOf(long value)
    {
        var bucket = BucketOf(value);
        return (bucket << _subBucketHalfCountMagnitude) + (int)(value >> (bucket + _unitMagnitude));
    }

    internal long LowestAt(int index)
    {
        var bucket = Math.Max((index >> _subBucketHalfCountMagnitude) - 1, 0);
        return (index - ((long)bucket << _subBucketHalfCountMagnitude)) << (bucket + _unitMagnitude);
    }

    internal long HighestAt(int index)
    {
        var lowest = LowestAt(index);
        return lowest + (WidthAt(lowest) - 1);
    }

    /// <summary>The middle of the values that are counted at a place, rounded up.</summary>
    internal long MedianAt(int index)
    {
        var lowest = LowestAt(index);
        return lowest + (WidthAt(lowest) >> 1);
    }

    internal long WidthAt(long value) => 1L << (_unitMagnitude + BucketOf(value));

    internal bool HasSameBucketsAs(in BucketLayout other) =>
        _unitMagnitude == other._unitMagnitude
        && SubBucketCount == other.SubBucketCount
        && BucketCount == other.BucketCount;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int BucketOf(long value) =>
        _leadingZeroCountBase - BitOperations.LeadingZeroCount((ulong)(value | _subBucketMask));
}
