using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Reports.Figures;

/// <summary>Looks a number up among the rows of a record.</summary>
public static class MetricRows
{
    /// <summary>The label that names an operation of a load.</summary>
    public const string Operation = "operation";

    /// <summary>The number of all, or of one operation; null where it is not known.</summary>
    public static double? Value(this IReadOnlyList<RecordedMetric> rows, Metric metric, string? operation = null)
    {
        foreach (var row in rows)
        {
            if (row.Name == metric.Name && row.Labels?.GetValueOrDefault(Operation) == operation)
                return row.Value;
        }

        return null;
    }

    /// <inheritdoc cref="Value"/>
    public static long? Count(this IReadOnlyList<RecordedMetric> rows, Metric metric, string? operation = null) =>
        (long?)rows.Value(metric, operation);
}
