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
/// <param name="Lower">Where the 95 % interval begins, the lowest equivalent; null as <paramref name="Value"/>.</param>
/// <param name="Upper">
/// Where the 95 % interval ends, the highest equivalent; null as <paramref name="Value"/>, and where it ends among what
/// is missing.
/// </param>
/// <remarks>
/// The interval is the order-statistic one, ranks np ± 1.96·√(np(1−p)), free of any assumption about the distribution
/// but valid only <em>if the samples are independent</em>. Latencies are autocorrelated (a queue or a pause delays
/// neighbours together), so show it under that label.
/// </remarks>
public sealed record PercentileRow(double Percentile, long? Value, long? Lower, long? Upper)
{
    private const int SamplesAbove = 10;
    private const double NormalQuantile = 1.959963984540054;

    /// <summary>Why the percentile is not known; null where it is.</summary>
    public UnknownPercentile? Unknown { get; init; }

    /// <summary>Whether the percentile is known.</summary>
    [JsonIgnore]
    [MemberNotNullWhen(true, nameof(Value))]
    public bool IsKnown => Value is not null;

    /// <summary>The row of a percentile.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not between 0 and 100.</exception>
    public static PercentileRow Of(LatencyHistogram histogram, double percentile)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        return Of(percentile, histogram.TotalCount, histogram.BelowRange, histogram.Beyond, LowestAt, HighestAt);

        long LowestAt(long rank) => histogram.Layout.LowestAt(histogram.IndexAtRank(rank));
        long HighestAt(long rank) => histogram.Layout.HighestAt(histogram.IndexAtRank(rank));
    }

    /// <summary>The row of a percentile of values of either sign.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not between 0 and 100.</exception>
    public static PercentileRow Of(SignedLatencyHistogram histogram, double percentile)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        return Of(
            percentile, histogram.TotalCount, histogram.Negatives.AboveRange, histogram.Values.Beyond,
            histogram.LowestAtRank, histogram.HighestAtRank);
    }

    // Ranks are those of all samples: what is out of the range lies before or behind what was counted.
    private static PercentileRow Of(
        double percentile, long counted, long below, long beyond, Func<long, long> lowestAt, Func<long, long> highestAt)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(percentile, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(percentile, 100);
        var count = below + counted + beyond;

        // In decimal, because 100,000 samples must be enough for 99.99 and in binary are not.
        if (count * (100 - (decimal)percentile) < SamplesAbove * 100)
            return new PercentileRow(percentile, null, null, null) { Unknown = UnknownPercentile.TooFewSamples };
        var share = percentile / 100;
        var rank = Math.Max((long)Math.Ceiling(Math.BitDecrement(percentile) * count / 100), 1) - below;
        if (rank < 1 || rank > counted)
            return new PercentileRow(percentile, null, null, null) { Unknown = UnknownPercentile.MissingSamples };
        var halfWidth = NormalQuantile * Math.Sqrt(count * share * (1 - share));
        var lower = Math.Max((long)Math.Floor((count * share) - halfWidth) - below, 1);
        var upper = (long)Math.Ceiling((count * share) + halfWidth) - below;
        return new PercentileRow(
            percentile, highestAt(rank), lowestAt(lower), upper <= counted ? highestAt(upper) : null);
    }
}

/// <summary>Why a percentile is not known.</summary>
public enum UnknownPercentile
{
    /// <summary>Fewer than ten samples lie above it.</summary>
    TooFewSamples,

    /// <summary>It lies among samples that never got a value, or were out of the range.</summary>
    MissingSamples,

    /// <summary>
    /// It is known as a wide interval only: the series of the least and of the most that its values can be have its ends.
    /// </summary>
    WideInterval,
}
