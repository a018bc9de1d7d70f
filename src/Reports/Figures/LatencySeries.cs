using System.Text.Json.Serialization;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Figures;

/// <summary>What one histogram of the run says: the interval log has it in full, under the same tag.</summary>
public sealed record LatencySeries
{
    /// <summary>Which: rtt, rtt.service, pacing, hiccups.</summary>
    public required string Name { get; init; }

    /// <summary>The unit of all its values.</summary>
    public string Unit { get; init; } = "ns";

    /// <summary>Values within the range; null where another tool measured and did not say how many.</summary>
    public long? Count { get; init; }

    /// <summary>Values above the range; null where another tool does not say, as the next two.</summary>
    public long? AboveRange { get; init; }

    /// <summary>Negative values.</summary>
    public long? BelowRange { get; init; }

    /// <summary>
    /// Samples that never got a value, because they were lost, timed out, refused or never sent: they count as slower
    /// than everything that was measured.
    /// </summary>
    public long? Missing { get; init; }

    /// <summary>
    /// The smallest; null without values, as the next three, and where one is negative or it is known as a wide
    /// interval only. What is missing leaves it as it is.
    /// </summary>
    public long? Min { get; init; }

    /// <summary>
    /// The largest; null where a sample is missing or above the range, as mean and standard deviation, or where it is
    /// known as a wide interval only.
    /// </summary>
    public long? Max { get; init; }

    /// <summary>
    /// What the largest is at least: as long as a sample that is missing had taken when it was given up, and as all
    /// that have a value. Null where none is missing, or of none it is known how long it was waited for.
    /// </summary>
    public long? MaxAtLeast { get; init; }

    /// <summary>The mean; null also where it is known as a wide interval only, as the standard deviation.</summary>
    public double? Mean { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The standard deviation.</summary>
    public double? StandardDeviation { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Percentiles of all samples, ascending; those that are not known without a value.</summary>
    public IReadOnlyList<PercentileRow> Percentiles { get; init; } = [];

    /// <summary>Any percentile of the same samples, 0 to 100, while they are at hand: a record has none.</summary>
    [JsonIgnore]
    public Func<double, long?>? ValueAt { get; init; }

    /// <summary>The series of a table.</summary>
    public static LatencySeries Of(string name, PercentileTable table) => new()
    {
        Name = name,
        Count = table.Count,
        AboveRange = table.AboveRange,
        BelowRange = table.BelowRange,
        Missing = table.Missing,
        Min = table.Min,
        Max = table.Max,
        MaxAtLeast = table.MaxAtLeast,
        Mean = table.Mean,
        StandardDeviation = table.StandardDeviation,
        Percentiles = table.Rows,
        ValueAt = table.ValueAt,
    };
}
