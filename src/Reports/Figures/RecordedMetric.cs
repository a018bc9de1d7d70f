using System.Text.Json.Serialization;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Reports.Figures;

/// <summary>A number of a run, as its metric was declared.</summary>
public sealed record RecordedMetric
{
    /// <summary>As thresholds and tables name it.</summary>
    public required string Name { get; init; }

    /// <summary>The unit of its value; null where it counts events.</summary>
    public string? Unit { get; init; }

    /// <summary>What it is a part of, as operation: get; null where it is of all.</summary>
    public IReadOnlyDictionary<string, string>? Labels { get; init; }

    /// <summary>What was measured; null where it is not known.</summary>
    public double? Value { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Whether it may be more: then it is no number that could be compared.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsLeast { get; init; }

    /// <summary>How the numbers of several processes are one; they are added where it is left out.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public MergeRule Merge { get; init; }

    /// <summary>Which of two is the better one; the lower where it is left out.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public BetterWhen BetterWhen { get; init; }

    /// <summary>A number of a metric; of one operation where that is named.</summary>
    public static RecordedMetric Of(Metric metric, double? value, string? operation = null) => new()
    {
        Name = metric.Name,
        Unit = metric.Unit,
        Labels = operation is null ? null : new Dictionary<string, string> { [MetricRows.Operation] = operation },
        Value = value,
        Merge = metric.Merge ?? MergeRule.None,
        BetterWhen = metric.BetterWhen,
    };
}
