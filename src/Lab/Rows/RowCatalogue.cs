namespace RedisLatency.Lab.Rows;

/// <summary>All rows of the self-test, in the order of the table.</summary>
internal static class RowCatalogue
{
    public static IReadOnlyList<Row> All { get; } =
        [.. ClockRows.All, .. RateRows.All, .. BreakRows.All, .. LinkRows.All, .. MessageRows.All, .. ClaimRows.All];
}
