using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Statistics;

/// <summary>
/// A percentile of all samples, if it is known: at least ten must lie above it, and what is missing must not be able to
/// change it. A sample that never got a value counts as slower than everything that was measured.
/// </summary>
/// <param name="Percentile">0 to 100, exclusive.</param>
/// <param name="Value">In the histogram's unit, the highest equivalent; null where it is not known.</param>
/// <param name="Lower">
/// Where the 95 % interval begins, the lowest equivalent; null where the interval is not known.
/// </param>
/// <param name="Upper">Where it ends, the highest equivalent; null as <paramref name="Lower"/>.</param>
/// <remarks>
/// The interval is of sampling within this run: how far another stretch of the same run, as long as this one, would
/// differ. It does not take samples for independent, see <see cref="SampleBlocks"/>. How far another run differs, one
/// run cannot tell.
/// </remarks>
public sealed record PercentileRow(double Percentile, long? Value, long? Lower, long? Upper)
{
    private const int SamplesAbove = 10;

    /// <summary>Why the percentile is not known; null where it is.</summary>
    public UnknownPercentile? Unknown { get; init; }

    /// <summary>Why a percentile that is known has no interval; null where it has one.</summary>
    public UnknownInterval? UnknownInterval { get; init; }

    /// <summary>Whether the machine can have made it, or a quarter of it at least.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool InDoubt { get; init; }

    /// <summary>Whether the percentile is known.</summary>
    [JsonIgnore]
    [MemberNotNullWhen(true, nameof(Value))]
    public bool IsKnown => Value is not null;

    /// <summary>How many samples it takes to know a percentile.</summary>
    /// <param name="percentile">0 to 100, exclusive.</param>
    public static long LeastSamples(double percentile) =>
        // In decimal, because 100,000 samples must be enough for 99.99 and in binary are not.
        (long)Math.Ceiling(SamplesAbove * 100 / (100 - (decimal)percentile));

    /// <summary>The row of a percentile.</summary>
    /// <param name="histogram">All samples.</param>
    /// <param name="percentile">Which.</param>
    /// <param name="blocks">The same samples in blocks; without them there is no interval.</param>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not between 0 and 100.</exception>
    public static PercentileRow Of(LatencyHistogram histogram, double percentile, SampleBlocks? blocks = null) =>
        Of(percentile, new RankedSamples(histogram), blocks);

    /// <summary>The row of a percentile of values of either sign.</summary>
    /// <inheritdoc cref="Of(LatencyHistogram, double, SampleBlocks?)"/>
    public static PercentileRow Of(SignedLatencyHistogram histogram, double percentile, SampleBlocks? blocks = null) =>
        Of(percentile, new RankedSamples(histogram), blocks);

    // Ranks are those of all samples: what is out of the range lies before or behind what was counted.
    private static PercentileRow Of(double percentile, RankedSamples samples, SampleBlocks? blocks)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(percentile, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(percentile, 100);
        var count = samples.Count;

        if (count < LeastSamples(percentile))
            return new PercentileRow(percentile, null, null, null) { Unknown = UnknownPercentile.TooFewSamples };
        var rank = Math.Max((long)Math.Ceiling(Math.BitDecrement(percentile) * count / 100), 1);
        if (!samples.HasValueAt(rank))
        {
            return new PercentileRow(percentile, null, null, null)
            {
                Unknown = samples.IsBelowRange(rank) ? UnknownPercentile.Negative : UnknownPercentile.MissingSamples,
            };
        }

        var row = new PercentileRow(percentile, samples.HighestAt(rank), null, null);
        if (blocks is null)
            return row with { UnknownInterval = Statistics.UnknownInterval.NoBlocks };
        var wanted = count * percentile / 100;
        var around = samples.IntervalAt(rank, wanted, blocks, out var unknown);
        if (unknown is not null)
            return row with { UnknownInterval = unknown };
        var lower = (long)Math.Max(Math.Floor(wanted + around.Lower), 1);
        var upper = (long)Math.Min(Math.Ceiling(wanted + around.Upper), count);
        return samples.HasValueAt(lower) && samples.HasValueAt(upper)
            ? row with { Lower = samples.LowestAt(lower), Upper = samples.HighestAt(upper) }
            : row with { UnknownInterval = Statistics.UnknownInterval.MissingSamples };
    }
}

/// <summary>Percentiles of one series.</summary>
public static class PercentileRows
{
    /// <summary>The row of a percentile; null where there is none.</summary>
    public static PercentileRow? At(this IReadOnlyList<PercentileRow> rows, double percentile) =>
        rows.FirstOrDefault(row => row.Percentile == percentile);
}

/// <summary>Samples by their rank among all, 1 being the smallest, whether or not they got a value.</summary>
internal readonly struct RankedSamples
{
    private readonly LatencyHistogram _values;
    private readonly LatencyHistogram _negatives;
    private readonly long _below;
    private readonly long _negativeCount;

    internal RankedSamples(LatencyHistogram histogram)
    {
        // Where there are no negatives, no bucket is among them.
        _values = _negatives = histogram;
        _below = histogram.BelowRange;
    }

    internal RankedSamples(SignedLatencyHistogram histogram)
    {
        (_values, _negatives) = (histogram.Values, histogram.Negatives);
        (_below, _negativeCount) = (histogram.Negatives.AboveRange, histogram.Negatives.TotalCount);
    }

    /// <summary>All of them, those missing and out of range too.</summary>
    internal long Count => HighestRank + _values.Beyond;

    private long HighestRank => _below + _negativeCount + _values.TotalCount;

    internal bool HasValueAt(long rank) => rank > _below && rank <= HighestRank;

    internal bool IsBelowRange(long rank) => rank <= _below;

    internal long LowestAt(long rank)
    {
        var bucket = BucketAt(rank);
        return bucket < 0 ? -_negatives.Layout.HighestAt(~bucket) : _values.Layout.LowestAt(bucket);
    }

    internal long HighestAt(long rank)
    {
        var bucket = BucketAt(rank);
        return bucket < 0 ? -_negatives.Layout.LowestAt(~bucket) : _values.Layout.HighestAt(bucket);
    }

    /// <summary>The 95 % interval of a percentile, in ranks around its own.</summary>
    /// <param name="rank">The rank of the percentile's value.</param>
    /// <param name="wanted">How many samples are to lie at or below it, which need not be whole.</param>
    /// <param name="blocks">The same samples in blocks.</param>
    /// <param name="unknown">Why it is not known, or null.</param>
    internal (double Lower, double Upper) IntervalAt(
        long rank, double wanted, SampleBlocks blocks, out UnknownInterval? unknown)
    {
        var (atOrBelow, all) = CountsAt(rank, wanted, blocks);
        var median = _below + ((HighestRank - _below + 1) / 2);
        var (atOrBelowMedian, _) = CountsAt(median, median, blocks);
        return BlockedShare.Interval(atOrBelow, atOrBelowMedian, all, _values.Missing, out unknown);
    }

    // Of the samples that are equal to it, as many count as below as the percentile takes.
    private (double[] AtOrBelow, double[] All) CountsAt(long rank, double wanted, SampleBlocks blocks)
    {
        var bucket = BucketAt(rank);
        var here = bucket < 0 ? _negatives.Counts[~bucket] : _values.Counts[bucket];
        return blocks.CountsAt(bucket, Math.Clamp((wanted - CountBelow(bucket)) / here, 0, 1));
    }

    // The smallest of all is the negative one of the largest magnitude.
    private int BucketAt(long rank) => rank - _below <= _negativeCount
        ? ~_negatives.IndexAtRank(_negativeCount - (rank - _below) + 1)
        : _values.IndexAtRank(rank - _below - _negativeCount);

    private long CountBelow(int bucket)
    {
        var count = _below + (bucket < 0 ? 0 : _negativeCount);
        foreach (var each in bucket < 0 ? _negatives.Counts[(~bucket + 1)..] : _values.Counts[..bucket])
            count += each;
        return count;
    }
}
