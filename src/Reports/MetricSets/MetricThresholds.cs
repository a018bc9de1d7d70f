using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.MetricSets;

/// <summary>Checks thresholds before a run, and holds them against what was measured.</summary>
public static class MetricThresholds
{
    /// <summary>Holds the threshold against what a set measured.</summary>
    public static ThresholdResult Evaluate(this Threshold threshold, MetricSet metrics) =>
        threshold.Evaluate(metrics.Find(threshold));

    /// <summary>What is wrong with the threshold for a run that has these metrics, or null.</summary>
    public static string? Validate(this Threshold threshold, IReadOnlyCollection<Metric> metrics)
    {
        var name = threshold.Metric;
        if (metrics.FirstOrDefault(known => known.Name == name) is not { } metric)
        {
            var names = metrics.Select(known => known.Name).ToArray();
            // The service's first series is what it is asked for most.
            var question = ThresholdStatistic.Read(name).Problem is null
                && metrics.FirstOrDefault(known => known.Kind == MetricKind.Durations) is { } series
                    ? $"; did you mean {series.Name}.{threshold.Text.Trim()}?"
                    : NearestName.Question(name, names);
            return $"there is no metric {name}{question} (known: {string.Join(", ", names)})";
        }

        if (threshold.Scope is { } scope && scope.Label != metric.Label)
        {
            return metric.Label is { } label
                ? $"{name} has {{{label}=NAME}}, and no {scope.Label}"
                : $"{name} is one and has no {{{scope.Label}={scope.Name}}}";
        }

        return threshold.Statistic is { } statistic
            ? ProblemOf(metric, statistic, threshold.Unit)
            : ProblemOf(metric, threshold.Unit);
    }

    private static string? ProblemOf(Metric metric, ThresholdStatistic statistic, ThresholdUnit unit)
    {
        if (metric.Kind == MetricKind.Duration)
            return $"{metric.Name} is one time and has no {statistic.Name}";
        if (metric.Kind != MetricKind.Durations)
            return $"{metric.Name} is one number and has no {statistic.Name}";
        if (unit == ThresholdUnit.Share)
            return NoShare($"{metric.Name}.{statistic.Name}");
        if (metric.Statistics is { } few && !few.Contains(statistic.Name))
            return $"{metric.Name} has {string.Join(" and ", few)} only";
        if (!metric.IsSummary || statistic.Percentile is not { } percentile
            || PercentileTable.Percentiles.Contains(percentile))
        {
            return null;
        }

        var percentiles = PercentileTable.Percentiles.Select(each => $"p{each.ToString(CultureInfo.InvariantCulture)}");
        return $"{metric.Name} has {string.Join(", ", percentiles)} only";
    }

    private static string? ProblemOf(Metric metric, ThresholdUnit unit) => (metric.Kind, unit) switch
    {
        (MetricKind.Duration, ThresholdUnit.Nanoseconds) => null,
        (MetricKind.Duration, _) => $"{metric.Name} is a time: the limit needs a unit, for instance {metric.Name}<5s",
        (MetricKind.Durations, ThresholdUnit.Nanoseconds) =>
            $"a time is the limit of a statistic, for instance {metric.Name}.p99",
        (MetricKind.Durations, _) => $"{metric.Name} needs a statistic, for instance {metric.Name}.p99",
        (_, ThresholdUnit.Nanoseconds) => $"{metric.Name} is one number: the limit has no unit of time",
        (_, ThresholdUnit.Share) when !metric.HasShare || metric.Kind == MetricKind.Gauge => NoShare(metric.Name),
        _ => null,
    };

    private static string NoShare(string name) =>
        $"{name} is no share of what was asked for: its limit has no %";
}
