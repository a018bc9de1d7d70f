using System.Globalization;

namespace RedisLatency.Reports.Verdicts;

/// <summary>Writes values of thresholds with their units, short enough to read and long enough to compare.</summary>
internal static class ThresholdQuantity
{
    public static string Show(double value, ThresholdUnit unit) => unit switch
    {
        ThresholdUnit.Nanoseconds => ShowNanoseconds(value),
        ThresholdUnit.Share => $"{Significant(value * 100)}%",
        _ => Significant(value),
    };

    private static string ShowNanoseconds(double value) => Math.Abs(value) switch
    {
        >= 1e9 => $"{Significant(value / 1e9)}s",
        >= 1e6 => $"{Significant(value / 1e6)}ms",
        >= 1e3 => $"{Significant(value / 1e3)}us",
        _ => $"{Significant(value)}ns",
    };

    // Whole numbers in full, others to four digits.
    private static string Significant(double value) =>
        value == Math.Truncate(value) && Math.Abs(value) < 1e15
            ? value.ToString("#,0", CultureInfo.InvariantCulture)
            : Math.Abs(value) >= 1_000
                ? value.ToString("#,0.##", CultureInfo.InvariantCulture)
                : value.ToString("G4", CultureInfo.InvariantCulture);
}
