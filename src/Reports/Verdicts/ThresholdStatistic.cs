using System.Globalization;

namespace RedisLatency.Reports.Verdicts;

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
