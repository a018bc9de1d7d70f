using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Values;

namespace RedisLatency.Reports.Verdicts;

/// <summary>A demand on a result, such as <c>rtt.p99&lt;2ms</c>, <c>lost&lt;=0.1%</c> or <c>rate>=0.99</c>.</summary>
/// <param name="Text">As it was written.</param>
/// <param name="Metric">The series or counter it is about.</param>
/// <param name="Statistic">What is taken of a series; null on a counter or ratio.</param>
/// <param name="Comparison">How the value must compare with the limit.</param>
/// <param name="Limit">The limit, in <paramref name="Unit"/>.</param>
/// <param name="Unit">What the limit counts.</param>
public sealed record Threshold(
    string Text,
    string Metric,
    ThresholdStatistic? Statistic,
    ThresholdComparison Comparison,
    double Limit,
    ThresholdUnit Unit)
{
    /// <summary>Which of several it is about; null where it is about all.</summary>
    public ThresholdScope? Scope { get; init; }

    /// <summary>Reads a threshold.</summary>
    /// <exception cref="FormatException">The text is no threshold; the message says what would be right.</exception>
    public static Threshold Parse(string text) => ThresholdSyntax.Read(text) is { Problem: null } reading
        ? reading.Value!
        : throw new FormatException($"{text}: {ThresholdSyntax.Read(text).Problem}");

    /// <summary>What is wrong with the threshold for a run that has these metrics, or null.</summary>
    public string? Validate(IReadOnlyCollection<KnownMetric> metrics)
    {
        if (metrics.FirstOrDefault(known => known.Name == Metric) is not { } metric)
        {
            var names = metrics.Select(known => known.Name).ToArray();
            var near = NearestName.Of(Metric, names) is { } name ? $"; did you mean {name}?" : "";
            return $"there is no metric {Metric}{near} (known: {string.Join(", ", names)})";
        }

        if (metric.IsSummary && Statistic is { Percentile: { } percentile }
            && !PercentileTable.Percentiles.Contains(percentile))
        {
            var percentiles =
                PercentileTable.Percentiles.Select(each => $"p{each.ToString(CultureInfo.InvariantCulture)}");
            return $"{Metric} has {string.Join(", ", percentiles)} only";
        }

        if (Scope is { } scope && scope.Label != metric.Label)
        {
            return metric.Label is { } label
                ? $"{Metric} has {{{label}=NAME}}, and no {scope.Label}"
                : $"{Metric} is one and has no {{{scope.Label}={scope.Name}}}";
        }

        return (metric.Kind, Statistic) switch
        {
            (MetricKind.Duration, not null) => $"{Metric} is one time and has no {Statistic.Name}",
            (MetricKind.Duration, null) when Unit != ThresholdUnit.Nanoseconds =>
                $"{Metric} is a time: the limit needs a unit, for instance {Metric}<5s",
            (MetricKind.Durations, null) when Unit == ThresholdUnit.Nanoseconds =>
                $"a time is the limit of a statistic, for instance {Metric}.p99",
            (MetricKind.Counter or MetricKind.Ratio, null) when Unit == ThresholdUnit.Nanoseconds =>
                $"{Metric} is one number: the limit has no unit of time",
            (MetricKind.Durations, null) => $"{Metric} needs a statistic, for instance {Metric}.p99",
            (MetricKind.Counter or MetricKind.Ratio, not null) => $"{Metric} is one number and has no {Statistic.Name}",
            _ => null,
        };
    }

    /// <summary>Holds the threshold against a result.</summary>
    public ThresholdResult Evaluate(IThresholdSource source)
    {
        if (source.Find(this) is not { } reading)
        {
            return new(this, ThresholdOutcome.UnknownMetric, null);
        }

        if (!reading.HasEnoughSamples || double.IsNaN(reading.Value))
        {
            return new(this, ThresholdOutcome.NotEnoughSamples, double.IsNaN(reading.Value) ? null : reading.Value);
        }

        var lowest = reading.Value - reading.Error;
        var highest = reading.Missing > 0 ? double.PositiveInfinity : reading.Value + reading.Error;
        if ((lowest < Limit && Limit < highest) || Holds(lowest) != Holds(highest))
        {
            return reading.Missing > 0
                ? new(this, ThresholdOutcome.MissingSamples, null) { Missing = reading.Missing }
                : new(this, ThresholdOutcome.WithinError, reading.Value) { Error = reading.Error };
        }

        return new(this, Holds(reading.Value) ? ThresholdOutcome.Met : ThresholdOutcome.Missed, reading.Value)
        {
            Error = reading.Error,
        };
    }

    /// <inheritdoc/>
    public override string ToString() => Text;

    private bool Holds(double actual) => Comparison switch
    {
        ThresholdComparison.Less => actual < Limit,
        ThresholdComparison.LessOrEqual => actual <= Limit,
        ThresholdComparison.Greater => actual > Limit,
        ThresholdComparison.GreaterOrEqual => actual >= Limit,
        ThresholdComparison.Equal => actual == Limit,
        _ => actual != Limit,
    };
}

/// <summary>A metric that a run will have, so that thresholds can be checked before it.</summary>
/// <param name="Name">As thresholds name it.</param>
/// <param name="Kind">What it is.</param>
public sealed record KnownMetric(string Name, MetricKind Kind)
{
    /// <summary>
    /// Whether only the percentiles of the summary can be asked for: the whole distribution is not kept.
    /// </summary>
    public bool IsSummary { get; init; }

    /// <summary>
    /// By what one of several can be named, as in <c>delay{destination=a}.p99</c>; null where it is one only.
    /// </summary>
    public string? Label { get; init; }
}

/// <summary>What kind of metric a threshold can be set on.</summary>
public enum MetricKind
{
    /// <summary>A series of durations: <c>rtt.p99&lt;2ms</c>. The limit needs a unit, except on <c>count</c>.</summary>
    Durations,

    /// <summary>A number of events: <c>lost==0</c>, or a share of the messages: <c>lost&lt;=0.1%</c>.</summary>
    Counter,

    /// <summary>A ratio: <c>rate>=0.99</c>, which is the same as <c>rate>=99%</c>.</summary>
    Ratio,

    /// <summary>One duration: <c>age&lt;5s</c>. The limit needs a unit.</summary>
    Duration,
}

/// <summary>Which of several a threshold is about: <c>{destination=shanghai}</c>.</summary>
/// <param name="Label">What there are several of.</param>
/// <param name="Name">Which one.</param>
public sealed record ThresholdScope(string Label, string Name);

/// <summary>What the limit of a threshold counts.</summary>
public enum ThresholdUnit
{
    /// <summary>A plain number.</summary>
    Number,

    /// <summary>A share between 0 and 1, written in percent.</summary>
    Share,

    /// <summary>Nanoseconds.</summary>
    Nanoseconds,
}
