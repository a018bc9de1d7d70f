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
