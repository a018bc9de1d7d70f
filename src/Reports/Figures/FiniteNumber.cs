namespace RedisLatency.Reports.Figures;

/// <summary>JSON has no word for what is not a finite number; the record leaves it out.</summary>
internal static class FiniteNumber
{
    public static double? OrNull(double? value) => value is { } number && double.IsFinite(number) ? number : null;
}
