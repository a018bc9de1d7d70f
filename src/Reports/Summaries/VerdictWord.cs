using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>A verdict as people read it.</summary>
internal static class VerdictWord
{
    public static string Of(VerdictStatus status) => status switch
    {
        VerdictStatus.Valid => "VALID",
        VerdictStatus.Doubtful => "DOUBTFUL",
        VerdictStatus.NotJudged => "NOT JUDGED",
        _ => "NOT VALID",
    };

    /// <summary>The same with how far the numbers go: VALID to p99.</summary>
    public static string Of(RunVerdict verdict) =>
        verdict is { Status: VerdictStatus.Valid, UpTo: { } most }
            ? $"{Of(verdict.Status)} to {LatencyTable.NameOf(most)}"
            : Of(verdict.Status);

    /// <summary>The same for programs: not-valid.</summary>
    public static string Plain(VerdictStatus status) => Of(status).ToLowerInvariant().Replace(' ', '-');
}
