using System.Globalization;

namespace RedisLatency.Reports.Verdicts;

/// <summary>
/// A demand on a result, such as <c>rtt.p99&lt;2ms</c>, <c>lost&lt;=0.1%</c> or <c>rate>=0.99</c>; the last two are of
/// no series and have no statistic.
/// </summary>
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

    /// <summary>As it is printed: <c>rtt.p99 &lt; 2 ms</c>.</summary>
    public string Demand => $"{Metric}{Scope}{(Statistic is { } taken ? $".{taken.Name}" : string.Empty)} "
        + $"{Sign} {ThresholdQuantity.Show(Limit, Unit)}";

    /// <summary>What is taken of a series.</summary>
    /// <exception cref="InvalidOperationException">It is on a counter or ratio.</exception>
    public ThresholdStatistic SeriesStatistic =>
        Statistic ?? throw new InvalidOperationException($"{Text} is on no series.");

    /// <summary>Reads a threshold.</summary>
    /// <exception cref="FormatException">The text is no threshold; the message says what would be right.</exception>
    public static Threshold Parse(string text) => ThresholdSyntax.Read(text) is { Problem: null } reading
        ? reading.Value!
        : throw new FormatException($"{text}: {ThresholdSyntax.Read(text).Problem}");

    /// <summary>Holds the threshold against a reading; null where the result has no such metric.</summary>
    public ThresholdResult Evaluate(ThresholdReading? found)
    {
        if (found is not { } reading)
            return new(this, ThresholdOutcome.UnknownMetric, null);

        if (!reading.HasEnoughSamples || double.IsNaN(reading.Value))
        {
            return new(this, ThresholdOutcome.NotEnoughSamples, double.IsNaN(reading.Value) ? null : reading.Value)
            {
                Because = reading.Because,
            };
        }

        var lowest = reading.Value - reading.Error;
        var highest = reading.Missing > 0 ? double.PositiveInfinity : reading.Value + reading.Error;
        if ((lowest < Limit && Limit < highest) || Holds(lowest) != Holds(highest))
        {
            return reading.Missing > 0
                ? new(this, ThresholdOutcome.MissingSamples, null)
                {
                    Missing = reading.Missing,
                    Because = reading.Because,
                }
                : new(this, ThresholdOutcome.WithinError, reading.Value)
                {
                    Error = reading.Error,
                    IsInterval = reading.IsInterval,
                    Because = reading.Because,
                };
        }

        return new(this, Holds(reading.Value) ? ThresholdOutcome.Met : ThresholdOutcome.Missed, reading.Value)
        {
            Error = reading.Error,
            IsInterval = reading.IsInterval,
            Missing = reading.Missing,
        };
    }

    public override string ToString() => Text;

    private string Sign => Comparison switch
    {
        ThresholdComparison.Less => "<",
        ThresholdComparison.LessOrEqual => "<=",
        ThresholdComparison.Greater => ">",
        ThresholdComparison.GreaterOrEqual => ">=",
        ThresholdComparison.Equal => "==",
        _ => "!=",
    };

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

/// <summary>Which of several a threshold is about: <c>{destination=shanghai}</c>.</summary>
public sealed record ThresholdScope(string Label, string Name)
{
    public override string ToString() => $"{{{Label}={Name}}}";
}

/// <summary>What the limit of a threshold counts.</summary>
public enum ThresholdUnit
{
    Number,

    /// <summary>A share between 0 and 1, written in percent.</summary>
    Share,

    Nanoseconds,
}

/// <summary>What is taken of a series: a percentile, min, max, mean or count.</summary>
public sealed record ThresholdStatistic(string Name, double? Percentile)
{
    public static ThresholdStatistic Min { get; } = new("min", null);
    public static ThresholdStatistic Max { get; } = new("max", null);
    public static ThresholdStatistic Mean { get; } = new("mean", null);
    public static ThresholdStatistic Count { get; } = new("count", null);

    internal static (ThresholdStatistic? Statistic, string? Problem) Read(string name)
    {
        if (new[] { Min, Max, Mean, Count }.FirstOrDefault(known => known.Name == name) is { } known)
            return (known, null);

        if (name[0] != 'p' || !double.TryParse(
            name.AsSpan(1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percentile))
        {
            return (null, $"{name} is no statistic: p50 to p99.999, min, max, mean, count");
        }

        return percentile is > 0 and < 100
            ? (new(name, percentile), null)
            : (null, $"{name}: a percentile lies between 0 and 100{Correction(name)}");
    }

    // p999 is how some tools write p99.9.
    private static string Correction(string name) =>
        name.Length > 3 && name.StartsWith("p99", StringComparison.Ordinal) ? $"; did you mean p99.{name[3..]}?" : "";
}

/// <summary>How the actual value must compare with the limit.</summary>
public enum ThresholdComparison
{
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}
