using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Lab.SelfTest;

internal static class ClaimRows
{
    private const long Millisecond = 1_000_000;
    private const long ClaimedWrongByNs = 50 * Millisecond;

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
        // A window whose probes all met a stall of the machine may leave room for the claim.
        var least = seen.Windows.Count(window => window.ErrorNs < ClaimedWrongByNs - (5 * Millisecond));
        var contradicted = seen.Pair.Offset?.ContradictedWindows;
        yield return new Finding(
            "windows with a contradiction",
            $"{least} to {seen.Windows.Count}",
            Amount.Count(contradicted),
            least > 0 && contradicted >= least && contradicted <= seen.Windows.Count);
    }
}
