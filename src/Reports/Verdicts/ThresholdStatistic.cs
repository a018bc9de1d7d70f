using System.Globalization;

namespace RedisLatency.Reports.Verdicts;

/// <summary>What is taken of a series: a percentile, min, max, mean or count.</summary>
/// <param name="Name">As it is written: <c>p99.9</c>, <c>min</c>, <c>max</c>, <c>mean</c>, <c>count</c>.</param>
/// <param name="Percentile">0 to 100 where it is a percentile, else null.</param>
public sealed record ThresholdStatistic(string Name, double? Percentile)
{
    /// <summary>The smallest value.</summary>
    public static ThresholdStatistic Min { get; } = new("min", null);

    /// <summary>The largest value.</summary>
    public static ThresholdStatistic Max { get; } = new("max", null);

    /// <summary>The arithmetic mean.</summary>
    public static ThresholdStatistic Mean { get; } = new("mean", null);

    /// <summary>How many values there are.</summary>
    public static ThresholdStatistic Count { get; } = new("count", null);

    /// <summary>The statistic of that name, or what is wrong with the name.</summary>
    internal static (ThresholdStatistic? Statistic, string? Problem) Read(string name)
    {
        if (new[] { Min, Max, Mean, Count }.FirstOrDefault(known => known.Name == name) is { } known)
        {
            return (known, null);
        }

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
