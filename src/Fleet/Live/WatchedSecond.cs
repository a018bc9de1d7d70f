using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Fleet.Live;

/// <summary>What the members of a role measured in a second of a run, added up.</summary>
/// <param name="End">When it ended, seen from the start of all members.</param>
/// <param name="Role">What they do.</param>
/// <param name="Series">Of which series the figures are.</param>
/// <param name="Members">Of how many members they are.</param>
/// <param name="Expected">How many members the role has.</param>
/// <param name="Count">How many values there are, those out of a histogram's range too.</param>
/// <param name="P50">The median of those within it, in nanoseconds; null where there are none.</param>
/// <param name="P99">What 99 of 100 do not exceed.</param>
/// <param name="Max">The largest.</param>
public sealed record WatchedSecond(
    TimeSpan End, string Role, string Series, int Members, int Expected, long Count, long? P50, long? P99, long? Max)
{
    internal static WatchedSecond Of(
        TimeSpan end, string role, string series, int members, int expected, LatencyHistogram values)
    {
        var count = values.TotalCount + values.AboveRange + values.BelowRange;
        return values.TotalCount == 0
            ? new(end, role, series, members, expected, count, null, null, null)
            : new(
                end, role, series, members, expected, count, values.ValueAtPercentile(50), values.ValueAtPercentile(99),
                values.Max);
    }
}
