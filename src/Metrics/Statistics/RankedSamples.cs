using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Statistics;

/// <summary>Samples by their rank among all, 1 being the smallest, whether or not they got a value.</summary>
internal readonly struct RankedSamples
{
    private readonly LatencyHistogram _values;
    private readonly LatencyHistogram _negatives;
    private readonly long _below;
    private readonly long _negativeCount;

    internal RankedSamples(LatencyHistogram histogram)
    {
        // Where there are no negatives, no place is among them.
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
        var place = PlaceAt(rank);
        return place < 0 ? -_negatives.Layout.HighestAt(~place) : _values.Layout.LowestAt(place);
    }

    internal long HighestAt(long rank)
    {
        var place = PlaceAt(rank);
        return place < 0 ? -_negatives.Layout.LowestAt(~place) : _values.Layout.HighestAt(place);
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
        var place = PlaceAt(rank);
        var here = place < 0 ? _negatives.Counts[~place] : _values.Counts[place];
        return blocks.CountsAt(place, Math.Clamp((wanted - CountBelow(place)) / here, 0, 1));
    }

    // The smallest of all is the negative one of the largest magnitude.
    private int PlaceAt(long rank) => rank - _below <= _negativeCount
        ? ~_negatives.IndexAtRank(_negativeCount - (rank - _below) + 1)
        : _values.IndexAtRank(rank - _below - _negativeCount);

    private long CountBelow(int place)
    {
        var count = _below + (place < 0 ? 0 : _negativeCount);
        foreach (var each in place < 0 ? _negatives.Counts[(~place + 1)..] : _values.Counts[..place])
            count += each;
        return count;
    }
}
