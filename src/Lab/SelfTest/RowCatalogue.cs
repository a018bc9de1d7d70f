namespace RedisLatency.Lab.SelfTest;

internal static class RowCatalogue
{
    public static IReadOnlyList<Row> All { get; } =
        [.. ClockRows.All, .. RateRows.All, .. BreakRows.All, .. LinkRows.All, .. MessageRows.All, .. ClaimRows.All];
}
