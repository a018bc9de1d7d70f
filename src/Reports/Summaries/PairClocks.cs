using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>What is known of a pair's clocks, how, and on whose word.</summary>
internal sealed class PairClocks(OneWayPair pair)
{
    // As the record names it; no path can shift the split where there is no second clock.
    private const string OfOneClock = "same-clock";

    public void WriteTo(TextWriter writer)
    {
        var kind = pair.IsSynthetic ? "clock: synthetic, by" : "clock:";
        if (pair.Offset is { } offset)
        {
            writer.Line($"{kind} {pair.ClockMode}; θ = {Offset(offset)} at the end, "
                + $"E = ±{Quantity.Duration(offset.ErrorMedianNs)} (median; worst "
                + $"±{Quantity.Duration(offset.ErrorWorstNs)}); skew {OneWaySection.Ppm(offset.SkewPpm)} ppm "
                + $"[{OneWaySection.Ppm(offset.SkewLowPpm)}, {OneWaySection.Ppm(offset.SkewHighPpm)}]; "
                + $"steps {offset.Steps.ToString(CultureInfo.InvariantCulture)}{Unbounded(offset)}");
            WriteBreaks(writer, offset);
        }
        else
        {
            writer.Line($"{kind} {pair.ClockMode}; θ is not known");
        }

        writer.Line(Text(pair.Probes, pair.ImpossibleStamps));
        foreach (var claim in pair.Claims)
            writer.Line(Text(claim));
        if (pair.Assumptions.Count > 0)
        {
            var all = pair.Assumptions.Where(assumption => assumption.Value != 0)
                .Select(assumption => $"{assumption.Name} {Text(assumption)}");
            writer.Line($"E assumes: {string.Join(", ", all)}; not that both ways take equally long"
                + (pair.ClockMode == OfOneClock
                    ? string.Empty
                    : ": a difference of x between them shifts the split by x/2, within E"));
        }
    }

    private static string Unbounded(PairOffset offset) => offset.UnboundedWindows == 0
        ? string.Empty
        : $"; θ not known in {Quantity.Count(offset.UnboundedWindows)} of {Quantity.Count(offset.Windows)} windows";

    // In the unit of its bound: of an offset of days the microseconds are what matters.
    private static string Offset(PairOffset offset)
    {
        var unit = Quantity.UnitFor(offset.ErrorMedianNs);
        var value = offset.OffsetNs / Quantity.Nanoseconds(unit);
        return value.ToString("+#,0.###;-#,0.###;0", CultureInfo.InvariantCulture) + " " + Quantity.Symbol(unit);
    }

    private static void WriteBreaks(TextWriter writer, PairOffset offset)
    {
        const int MostShown = 5;
        if (offset.Breaks.Count == 0)
            return;
        var shown = offset.Breaks.Take(MostShown).Select(at => at.StepNs == 0
            ? at.Kind
            : $"{at.Kind} of {OneWaySection.Signed(at.StepNs)}");
        var more = offset.Breaks.Count > MostShown ? ", …" : string.Empty;
        writer.Line($"followed anew after: {string.Join(", ", shown)}{more}");
    }

    private static string Text(ProbeCounts probes, long impossibleEchoes)
    {
        var text = $"probes by {(probes.Lanes.Count == 0 ? "nothing" : string.Join(" and ", probes.Lanes))}: "
            + $"{Quantity.Count(probes.Echoes)} echoes";
        if (probes.Sent > 0)
            text += $", {Quantity.Count(probes.Answered)} of {Quantity.Count(probes.Sent)} probes answered";
        if (probes.AcceptedShare is { } share)
            text += $" ({Quantity.Percent(Math.Round(share, 4))} of pairs met no queue)";
        if (probes.Refused > 0)
            text += $", {Quantity.Count(probes.Refused)} answers refused";
        text += $"; impossible {Quantity.Count(probes.Impossible + impossibleEchoes)}, contradicting "
            + $"{Quantity.Count(probes.Contradicting)}";
        return probes.Problem is { } problem ? $"{text}; {problem}" : text;
    }

    private static string Text(ClockClaim claim)
    {
        var error = claim.ErrorNs is { } known ? $" ±{Quantity.Duration(known)}" : string.Empty;
        var unrefuted = claim.UnrefutedNs is > 0 and var least
            ? $"; probes would have refuted it if wrong by {Quantity.Duration(least)} or more"
            : string.Empty;
        // What is refuted was taken for true before: that it was is no word for it.
        return claim.ContradictedWindows > 0
            ? $"claim {claim.Name}{error} ({claim.Source}) refuted by the probes in "
                + $"{Quantity.Count(claim.ContradictedWindows)} windows"
            : $"claim {claim.Name}{error} ({claim.Source}) {(claim.IsAccepted ? "accepted" : "refused")}: "
                + $"{claim.Reason}{unrefuted}";
    }

    private static string Text(ClockAssumption assumption) => assumption.Unit == "ns"
        ? Quantity.Duration(assumption.Value)
        : $"{assumption.Value.ToString("0.###", CultureInfo.InvariantCulture)} {assumption.Unit}";
}
