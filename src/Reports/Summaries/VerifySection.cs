using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What a comparison of two servers found.</summary>
internal static class VerifySection
{
    public static string Sentence(RunSummary summary)
    {
        var differences = summary.Count(Counted.Differences);
        var equal = summary.Verify!.NotCompared.Contains(VerifyResult.Values)
            ? "have equal types, lengths and times to live, values not compared,"
            : "are equal";
        var found = differences > 0 ? $"{Quantity.Count(differences)} keys differ, {Equal(summary)} {equal}"
            : $"{Equal(summary)} keys {equal}";
        return $"{found} between {summary.Verify.Source} and {summary.Verify.Destination}";
    }

    /// <summary>Of a summary that has one.</summary>
    public static Section Of(RunSummary summary)
    {
        var seconds = (summary.DurationNs ?? 0) / 1e9;
        return new Section("VERIFIED")
            .Add($"{Quantity.Count(summary.Count(Counted.Read))} names of keys read at both in "
                + $"{Quantity.Elapsed(TimeSpan.FromSeconds(seconds))}, "
                + $"{Quantity.Count((long)((summary.Count(Counted.Read) ?? 0) / seconds))} a second; "
                + $"{Quantity.Count(summary.Count(Counted.Filtered))} left out, "
                + $"{Quantity.Count(summary.Count(Counted.Unsettled))} unsettled")
            .Add(summary.Verify!.Differences.Select(kind =>
                $"{kind.Kind}: {Quantity.Count(kind.Count)}, the first {kind.First}"))
            .Add($"not compared: {string.Join(", ", summary.Verify.NotCompared)}");
    }

    private static string Equal(RunSummary summary) => Quantity.Count(summary.Count(Counted.Equal));
}
