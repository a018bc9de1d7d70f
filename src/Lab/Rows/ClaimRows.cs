using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Lab.Rows;

internal static class ClaimRows
{
    private const long Millisecond = 1_000_000;

    public static IEnumerable<Row> All { get; } =
    [
        new("false-claim", "two processes of one clock, they claim; it is 50 ms wrong",
            _ => FalseClaim, CheckFalseClaim),
    ];

    private static World FalseClaim => new() { UsesClaims = true, ConsumerClock = "offset=50ms" };

    private static IEnumerable<Finding> CheckFalseClaim(Observation seen)
    {
        var refuted = seen.Pair.Claims.Where(claim => claim.ContradictedWindows > 0).ToArray();
        yield return new Finding(
            "claims refuted by the probes",
            "at least one",
            refuted.Length == 0 ? "none" : string.Join(", ", refuted.Select(claim => claim.Name)),
            refuted.Length > 0);
        foreach (var finding in OffsetChecks.InsideWithDrift(seen))
            yield return finding;
        yield return OffsetChecks.OffsetWithin(seen, Millisecond);
        foreach (var finding in MessageChecks.Judgement(seen, OneWayHeadline.RoundTrip, OneWayGrade.F))
            yield return finding;
        yield return MessageChecks.Word(
            "valid", "no", seen.Record.Verdict.IsMeasured ? "yes" : "no", !seen.Record.Verdict.IsMeasured);
        yield return MessageChecks.Exactly("windows with a contradiction", seen.Pair.Offset?.Windows ?? 0,
            seen.Pair.Offset?.ContradictedWindows);
    }
}
