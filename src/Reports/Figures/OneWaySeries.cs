using System.Text.Json.Serialization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Figures;

/// <summary>
/// One direction's latency, negative values included: nothing is dropped, folded or clamped. Times in nanoseconds. The
/// interval log has the values from 0 upwards under its name, and the magnitudes of the others under its name and
/// <c>-negative</c>.
/// </summary>
public sealed record OneWaySeries
{
    /// <summary>forward-intended, forward or back.</summary>
    public required string Name { get; init; }

    /// <summary>How many values there are, of either sign.</summary>
    public required long Count { get; init; }

    /// <summary>
    /// How far every value below may be wrong, either way: the largest E of these messages. It is the same for all of
    /// them, and more samples do not lessen it.
    /// </summary>
    public required long ErrorNs { get; init; }

    /// <summary>
    /// Messages that have no value, because they were lost or never sent: they count as slower than all others.
    /// </summary>
    public long Missing { get; init; }

    /// <summary>The smallest; null without values, as the next two.</summary>
    public long? Min { get; init; }

    /// <summary>The mean; null where a message is missing, as the next.</summary>
    public double? Mean { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The largest.</summary>
    public long? Max { get; init; }

    /// <summary>
    /// Percentiles, ascending; lower and upper are the sampling interval, to which the bound comes on either side.
    /// </summary>
    public IReadOnlyList<PercentileRow> Percentiles { get; init; } = [];

    /// <summary>How many are negative.</summary>
    public long Negatives { get; init; }

    /// <summary>How many are negative by more than their E: then θ was wrong.</summary>
    public long NegativesBeyondError { get; init; }

    /// <summary>How many are below the floor that was given by more than their E; null where none was.</summary>
    public long? BelowFloor { get; init; }

    /// <summary>How many are out of the histogram's range, and in nothing of this.</summary>
    public long OutOfRange { get; init; }

    /// <summary>
    /// Delay variation: each value less the smallest before it, the drift of the clocks removed. It needs no θ.
    /// </summary>
    public LatencySeries? Variation { get; init; }

    /// <summary>Any percentile of the same samples, 0 to 100, while they are at hand: a record has none.</summary>
    [JsonIgnore]
    public Func<double, long?>? ValueAt { get; init; }

    /// <summary>The series of a histogram.</summary>
    /// <param name="name">Which.</param>
    /// <param name="histogram">Its values.</param>
    /// <param name="errorNs">The largest E of these.</param>
    /// <param name="blocks">The same in blocks; without them no percentile has an interval.</param>
    /// <param name="percentiles">Which; null for those that the suite shows.</param>
    public static OneWaySeries Of(
        string name, SignedLatencyHistogram histogram, long errorNs, SampleBlocks? blocks = null,
        IReadOnlyList<double>? percentiles = null)
    {
        var table = PercentileTable.Of(histogram, blocks, percentiles);
        return new OneWaySeries
        {
            Name = name,
            Count = histogram.TotalCount,
            ErrorNs = errorNs,
            Missing = table.Missing,
            Min = table.Min,
            Mean = table.Mean,
            Max = table.Max,
            Percentiles = table.Rows,
            ValueAt = table.ValueAt,
            Negatives = histogram.Negatives.TotalCount,
            OutOfRange = histogram.Values.AboveRange + histogram.Negatives.AboveRange,
        };
    }
}
