using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Results.Records.Summaries;

/// <summary>What one histogram of the run says: the interval log has it in full, under the same tag.</summary>
public sealed record LatencySeries
{
    /// <summary>Which: rtt, rtt.service, pacing, hiccups.</summary>
    public required string Name { get; init; }

    /// <summary>The unit of all its values.</summary>
    public string Unit { get; init; } = "ns";

    /// <summary>Values within the range: all that follows is of these.</summary>
    public required long Count { get; init; }

    /// <summary>Values above the range.</summary>
    public long AboveRange { get; init; }

    /// <summary>Negative values.</summary>
    public long BelowRange { get; init; }

    /// <summary>The smallest; null without values, as the next three.</summary>
    public long? Min { get; init; }

    /// <summary>The largest.</summary>
    public long? Max { get; init; }

    /// <summary>The mean.</summary>
    public double? Mean { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The standard deviation.</summary>
    public double? StandardDeviation { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Percentiles, ascending; those with too few samples above them without a value.</summary>
    public IReadOnlyList<PercentileRow> Percentiles { get; init; } = [];

    /// <summary>The series of a table.</summary>
    public static LatencySeries Of(string name, PercentileTable table) => new()
    {
        Name = name,
        Count = table.Count,
        AboveRange = table.AboveRange,
        BelowRange = table.BelowRange,
        Min = table.Min,
        Max = table.Max,
        Mean = table.Mean,
        StandardDeviation = table.StandardDeviation,
        Percentiles = table.Rows,
    };
}
