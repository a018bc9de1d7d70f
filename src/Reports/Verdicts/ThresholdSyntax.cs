using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Reports.Values;

namespace RedisLatency.Reports.Verdicts;

/// <summary>How thresholds are written: metric, statistic, comparison, limit with its unit.</summary>
public static partial class ThresholdSyntax
{
    private const string AnyExamples = "'rtt.p99<2ms', 'lost==0' or 'rate>=0.99'";

    /// <summary>What stands in its place in the help.</summary>
    public const string Placeholder = "EXPRESSION";

    /// <param name="examples">Thresholds that hold there, for whoever types none.</param>
    public static ValueSyntax<Threshold> Create(string examples) =>
        new(Placeholder, text => Read(text, examples), threshold => threshold.Text);

    public static ValueReading<Threshold> Read(string text, string examples = AnyExamples)
    {
        var match = Shape().Match(text);
        if (!match.Success)
            return ValueReading.Wrong<Threshold>($"a threshold is needed, for instance {examples}");

        if (ComparisonOf(match.Groups["comparison"].Value) is not { } comparison)
            return ValueReading.Wrong<Threshold>("the comparison must be one of < <= > >= == !=");

        ThresholdStatistic? statistic = null;
        if (match.Groups["statistic"] is { Success: true, Value: var name })
        {
            (statistic, var unknown) = ThresholdStatistic.Read(name);
            if (unknown is not null)
                return ValueReading.Wrong<Threshold>(unknown);
        }

        var limit = match.Groups["limit"].Value;
        var metric = match.Groups["metric"].Value;
        // Whether the metric is one time or one number, its own kind says.
        var isTime = statistic is null
            ? ReadNumber(limit).Problem is not null && DurationSyntax.ReadNanoseconds(limit).Problem is null
            : statistic != ThresholdStatistic.Count;
        var (value, problem) = isTime ? ReadTime(limit) : ReadNumber(limit);
        return problem is not null
            ? ValueReading.Wrong<Threshold>($"{limit}: {problem}")
            : ValueReading.Of(new Threshold(text, metric, statistic, comparison, value.Limit, value.Unit)
            {
                Scope = match.Groups["label"] is { Success: true, Value: var label }
                    ? new ThresholdScope(label, match.Groups["name"].Value)
                    : null,
            });
    }

    private static ValueReading<(double Limit, ThresholdUnit Unit)> ReadTime(string limit) =>
        DurationSyntax.ReadNanoseconds(limit).Then(time => ValueReading.Of(((double)time, ThresholdUnit.Nanoseconds)));

    private static ValueReading<(double Limit, ThresholdUnit Unit)> ReadNumber(string limit)
    {
        if (!limit.EndsWith('%'))
        {
            return NumberSyntax.Read(limit).Then(number => double.IsFinite(number)
                ? ValueReading.Of((number, ThresholdUnit.Number))
                : ValueReading.Wrong<(double, ThresholdUnit)>("a number is needed that is not infinite"));
        }

        var digits = limit.AsSpan(0, limit.Length - 1);
        return decimal.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
            ? ValueReading.Of(((double)(percent / 100), ThresholdUnit.Share))
            : ValueReading.Wrong<(double, ThresholdUnit)>("a percentage is needed, for instance 0.1%");
    }

    private static ThresholdComparison? ComparisonOf(string sign) => sign switch
    {
        "<" => ThresholdComparison.Less,
        "<=" => ThresholdComparison.LessOrEqual,
        ">" => ThresholdComparison.Greater,
        ">=" => ThresholdComparison.GreaterOrEqual,
        "==" => ThresholdComparison.Equal,
        "!=" => ThresholdComparison.NotEqual,
        _ => null,
    };

    // A name of several parts ends in its statistic: one-way.p99.9, delay{destination=10.2.0.5:6379}.p99. A statistic
    // alone is read as a metric that no service has.
    [GeneratedRegex(
        @"^\s*(?<metric>p[0-9.]+|[a-z][a-z0-9-]*)(\{(?<label>[a-z]+)=(?<name>[^{}]+)\})?" +
        @"(\.(?<statistic>[a-z][a-z0-9]*(\.[0-9]+)?))?" +
        @"\s*(?<comparison>[<>=!]+)\s*(?<limit>[^\s<>=!]\S*)\s*$",
        RegexOptions.CultureInvariant)]
    private static partial Regex Shape();
}
