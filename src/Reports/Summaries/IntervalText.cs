using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>What is said beside the 95 % intervals of percentiles.</summary>
internal static class IntervalText
{
    /// <summary>A series' intervals, and why percentiles have none; null where there is nothing to say.</summary>
    public static string? Of(string head, LatencySeries series)
    {
        var intervals = series.Percentiles.Where(row => row.Lower is not null && row.Upper is not null).Select(row =>
            $"{LatencyTable.NameOf(row.Percentile)} {Quantity.Duration(row.Lower!.Value)} to "
                + $"{Quantity.Duration(row.Upper!.Value)}");
        var parts = new[] { string.Join(", ", intervals), WhyNot(series.Percentiles) }.Where(part => part.Length > 0);
        return parts.Any() ? $"{head}: {string.Join("; ", parts)}" : null;
    }

    /// <summary>Why percentiles have no interval; empty where all that are known have one.</summary>
    public static string WhyNot(IReadOnlyList<PercentileRow> rows) => string.Join("; ", rows
        .Where(row => row.UnknownInterval is not null)
        .GroupBy(row => row.UnknownInterval!.Value)
        .Select(alike => $"none for {string.Join(", ", alike.Select(row => row.Percentile).Distinct()
            .Select(LatencyTable.NameOf))} ({Reason(alike.Key)})"));

    public static string Meaning =>
        "intervals: how far these percentiles may be off by chance within this run; how far "
        + "another run differs, one run cannot tell";

    private static string Reason(UnknownInterval why) => why switch
    {
        UnknownInterval.TooFewBlocks => "the run is too short to tell how samples depend on each other",
        UnknownInterval.TooFewIndependent => "too few independent samples beyond it; measure longer",
        UnknownInterval.Swings => "latency swings slowly; measure longer",
        UnknownInterval.NotStationary => "latency rose or fell over the run",
        UnknownInterval.MissingSamples => "it ends among samples that never got a value",
        _ => "not estimated",
    };
}
