using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// One-way latency: for each pair what the clocks are worth, then both directions with their bound. The answer has of
/// the first pairs the directions alone.
/// </summary>
internal sealed class OneWaySection(RunRecord record)
{
    private const int MostInAnswer = 3;

    public IEnumerable<Section> Create()
    {
        foreach (var pair in record.Summaries.SelectMany(summary => summary.OneWay).Take(MostInAnswer))
        {
            if (Answer(pair) is { } answer)
                yield return answer;
        }

        foreach (var summary in record.Summaries)
        {
            foreach (var section in summary.OneWay.SelectMany(pair => Details(summary, pair)))
                yield return section;
            if (summary.NoOneWayBecause is { } why)
                yield return new Section("ONE WAY", Extent.Details).Add($"{Of(summary)}not measured: {why}");
        }
    }

    // A direction whose clocks contradict each other has no number that could be read.
    private static Section? Answer(OneWayPair pair)
    {
        if (pair.Grade is not { } grade || pair.Series.Count == 0)
            return null;
        var section = new Section(null, Extent.Answer);
        if (grade == OneWayGrade.F)
        {
            var why = pair.Reasons is [var first, ..] ? first : string.Empty;
            return section.Add($"one way to {pair.Consumer}: grade F, not to be used. {why}");
        }

        var lead = pair.Headline == OneWayHeadline.RoundTrip ? "; the round trip is known better" : string.Empty;
        section.Add($"one way to {pair.Consumer} (grade {grade}{lead}), each ±E:");
        // Without echoes only the consumer has the values, and its result the percentiles.
        if (pair.Series.All(series => series.Percentiles.Count == 0) && pair.ConsumerSeries is { } own)
            section.Add(Text(own));
        return section.Add(pair.Series
            .Where(series => series is { Name: "forward" or "back", Percentiles.Count: > 0 })
            .Select(series => $"{series.Name,-8} {AnswerLine.Percentiles(series.Percentiles)}, "
                + $"±{Quantity.Duration(series.ErrorNs)}"));
    }

    private IEnumerable<Section> Details(RunSummary summary, OneWayPair pair)
    {
        var table = new OneWayTable(
            pair.Series, summary.Latencies.FirstOrDefault(series => series.Name == "network"));
        var section = new Section($"ONE WAY, {Quantity.Symbol(table.Unit)}", Extent.Details);
        var grade = pair.Grade is { } known ? $"; grade {known}" : string.Empty;
        var andBack = table.HasBack || pair.Series.Count == 0 ? " and back" : ", without an echo";
        section.Add($"{Of(summary)}producer {record.Instance} to consumer {pair.Consumer}{andBack}{grade}")
            .Add(pair.Reasons).Add(new PairClocks(pair).Lines());
        var clockFree = table.ClockFree();
        if (pair.Headline == OneWayHeadline.RoundTrip && clockFree is not null)
        {
            section.Add("read the round trip first, and how each way varies (no clocks needed):").Add(clockFree);
            if (table.HasDirections)
                section.Add("one way is only as good as its ±E:");
            table.AddDirections(section);
        }
        else
        {
            table.AddDirections(section);
            if (table.HasDirections && clockFree is not null)
            {
                yield return section;
                section = new Section(null, Extent.Details);
            }

            section.Add(clockFree);
        }

        yield return section.Add(Checks(pair));
    }

    private static IEnumerable<string> Checks(OneWayPair pair)
    {
        var whose = pair.Series.Any(series => series.Missing > 0) ? " of what came back" : string.Empty;
        if (pair.Check is { } check)
        {
            yield return $"check{whose}: mean forward {Quantity.Duration(check.ForwardMeanNs)} + mean back "
                + $"{Quantity.Duration(check.BackMeanNs)} = "
                + $"{Quantity.Duration(check.ForwardMeanNs + check.BackMeanNs)}; "
                + $"mean round trip less residence {Quantity.Duration(check.NetworkMeanNs)}";
        }

        if (pair.Asymmetry is { } asymmetry)
        {
            yield return $"asymmetry{whose}: mean forward − back = {Signed(asymmetry.ForwardMinusBackNs)} "
                + $"±{Quantity.Duration(asymmetry.ErrorNs)} (2 E); network RTT/2 (assumes that both ways take equally "
                + $"long): mean {Quantity.Duration(asymmetry.HalfRoundTripNs)}";
        }

        if (pair.ConsumerSeries is { } own)
            yield return Text(own);
        if (pair.Series.Count > 0)
        {
            var negatives = pair.Series.Select(series => $"{series.Name} {Quantity.Count(series.Negatives)}"
                + (series.NegativesBeyondError > 0
                    ? $" ({Quantity.Count(series.NegativesBeyondError)} by more than E)" : string.Empty));
            yield return $"negative: {string.Join(", ", negatives)}";
        }

        var floored = pair.Series.Where(series => series.BelowFloor is not null)
            .Select(series => $"{series.Name} {Quantity.Count(series.BelowFloor)}").ToList();
        if (floored.Count > 0)
            yield return $"below the floor by more than E: {string.Join(", ", floored)}";

        if (pair.Uncorrected > 0)
        {
            yield return $"{Quantity.Count(pair.Uncorrected)} messages are in neither direction: no offset "
                + "was known for them, or their stamps could not be kept";
        }

        if (pair.ImpossibleStamps > 0)
        {
            yield return $"{Quantity.Count(pair.ImpossibleStamps)} echoes had stamps that cannot be "
                + "and are in neither direction";
        }
    }

    internal static string Text(ConsumerFigures own) =>
        $"the consumer's own forward series: n {Quantity.Count(own.Count)}, "
            + $"mean {Quantity.Duration(own.MeanNs)}, min {Quantity.Duration(own.MinNs)}, "
            + $"max {Quantity.Duration(own.MaxNs)}, negative {Quantity.Count(own.Negatives)}";

    internal static string Signed(double nanoseconds) =>
        (nanoseconds < 0 ? "-" : "+") + Quantity.Duration(Math.Abs(nanoseconds));

    internal static string Ppm(double? ppm) => ppm is { } known
        ? known.ToString("0.###", CultureInfo.InvariantCulture)
        : Quantity.None;

    private string Of(RunSummary summary) => record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;
}

/// <summary>What is known of a pair's clocks, how, and on whose word.</summary>
internal sealed class PairClocks(OneWayPair pair)
{
    // As the record names it; no path can shift the split where there is no second clock.
    private const string OfOneClock = "same-clock";

    public IEnumerable<string?> Lines()
    {
        var kind = pair.IsSynthetic ? "clock: synthetic, by" : "clock:";
        if (pair.Offset is { } offset)
        {
            yield return $"{kind} {pair.ClockMode}; θ = {Offset(offset)} at the end, "
                + $"E = ±{Quantity.Duration(offset.ErrorMedianNs)} (median; worst "
                + $"±{Quantity.Duration(offset.ErrorWorstNs)}); skew {OneWaySection.Ppm(offset.SkewPpm)} ppm "
                + $"[{OneWaySection.Ppm(offset.SkewLowPpm)}, {OneWaySection.Ppm(offset.SkewHighPpm)}]; "
                + $"steps {offset.Steps.ToString(CultureInfo.InvariantCulture)}{Unbounded(offset)}";
            yield return Breaks(offset);
        }
        else
        {
            yield return $"{kind} {pair.ClockMode}; θ is not known";
        }

        yield return Text(pair.Probes, pair.ImpossibleStamps);
        foreach (var claim in pair.Claims)
            yield return Text(claim);
        if (pair.Assumptions.Count > 0)
        {
            var all = pair.Assumptions.Where(assumption => assumption.Value != 0)
                .Select(assumption => $"{assumption.Name} {Text(assumption)}");
            yield return $"E assumes: {string.Join(", ", all)}; not that both ways take equally long"
                + (pair.ClockMode == OfOneClock
                    ? string.Empty
                    : ": a difference of x between them shifts the split by x/2, within E");
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

    private static string? Breaks(PairOffset offset)
    {
        const int MostShown = 5;
        if (offset.Breaks.Count == 0)
            return null;
        var shown = offset.Breaks.Take(MostShown).Select(at => at.StepNs == 0
            ? at.Kind
            : $"{at.Kind} of {OneWaySection.Signed(at.StepNs)}");
        var more = offset.Breaks.Count > MostShown ? ", …" : string.Empty;
        return $"followed anew after: {string.Join(", ", shown)}{more}";
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
