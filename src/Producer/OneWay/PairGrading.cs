using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Producer.OneWay;

/// <summary>Grades a pair by its bound E against the smaller median of the two directions.</summary>
internal static class PairGrading
{
    /// <param name="pair">What was measured.</param>
    /// <param name="stepNs">How far a clock stepped under what is claimed of it; null where none did.</param>
    public static OneWayPair Grade(OneWayPair pair, long? stepNs = null)
    {
        if (FloorFault(pair) is { } floors)
            return WithoutClocks(pair, floors);
        var contradictions = Contradictions(pair).ToList();
        if (contradictions.Count > 0)
        {
            return pair with
            {
                Grade = OneWayGrade.F,
                Headline = OneWayHeadline.RoundTrip,
                Reasons =
                [
                    .. pair.Reasons, .. contradictions,
                    HasEcho(pair) ? "One way is not valid; the round trip is the headline."
                        : "One way is not valid, and without an echo there is no round trip.",
                ],
            };
        }

        if (MedianOf(pair) is not { } median)
        {
            return pair with
            {
                Grade = null,
                Headline = OneWayHeadline.RoundTrip,
                Reasons = [.. pair.Reasons, "No offset was known for any message, so there is no one-way latency."],
            };
        }

        var error = pair.Series.Max(series => series.ErrorNs);
        var grade = OneWayPair.GradeOf(error, median);
        // What rests on a claim that a clock has stepped under is no word of that clock.
        if (stepNs is not null && grade == OneWayGrade.A)
            grade = OneWayGrade.B;
        var isClear = grade <= OneWayGrade.B;
        // Without an echo the Consumer tells a mean, and nothing of the distribution.
        var typical = pair.Series.Any(series => series.Percentiles.Count > 0) ? "smaller median" : "mean";
        var comparison = median > 0
            ? $"E is {Quantity.Percent(Math.Round((double)error / median, 4))} of the {typical}"
            : $"the {typical} is not above 0";
        return pair with
        {
            Grade = grade,
            Headline = isClear ? OneWayHeadline.OneWay : OneWayHeadline.RoundTrip,
            Reasons =
            [
                .. pair.Reasons,
                .. stepNs is { } step
                    ? [$"A clock can have stepped by {Quantity.Duration(step)} under what is claimed of it: E "
                        + "contains it."]
                    : Array.Empty<string>(),
                isClear ? $"The headline is one way: {comparison}."
                    : !HasEcho(pair)
                    ? $"Read one way with care: {comparison}, more than a quarter; without an echo there is no "
                        + "round trip."
                    : $"The headline is the round trip: {comparison}, more than a quarter.",
            ],
        };
    }

    // Both floors together are one clock's time: no other clock, and no step of one, can make a round trip shorter.
    public static string? FloorFault(OneWayPair pair)
    {
        var floors = pair.Assumptions.Where(assumption => assumption.Name is "forward-floor" or "back-floor")
            .Sum(assumption => assumption.Value);
        return pair.Probes.MinNetworkNs is { } shortest && shortest < floors
            ? "There were round trips shorter than both floors: --floor-time or --floor-distance is wrong. Together "
                + $"they are {Quantity.Duration(floors)}, and the shortest took {Quantity.Duration(shortest)}."
            : null;
    }

    // What was found of the clocks was found with the floors: steps and contradictions are theirs.
    private static OneWayPair WithoutClocks(OneWayPair pair, string fault) => pair with
    {
        Grade = OneWayGrade.F,
        Headline = OneWayHeadline.RoundTrip,
        Reasons = [.. pair.Reasons, fault],
        Offset = null,
        Asymmetry = null,
        Probes = pair.Probes with { Contradicting = 0 },
        Claims = [.. pair.Claims.Select(claim => claim with { ContradictedWindows = 0 })],
    };

    private static bool HasEcho(OneWayPair pair) => pair.Series.Any(series => series.Name == OneWayMetrics.Back.Name);

    private static long? MedianOf(OneWayPair pair)
    {
        var ways = pair.Series
            .Where(series => series.Count > 0)
            .Where(series => series.Name == OneWayMetrics.Forward.Name || series.Name == OneWayMetrics.Back.Name)
            .Select(series => series.Percentiles.FirstOrDefault(row => row.Percentile == 50)?.Value
                ?? (long)(series.Mean ?? 0))
            .ToList();
        return ways.Count == 0 ? null : ways.Min();
    }

    private static IEnumerable<string> Contradictions(OneWayPair pair)
    {
        foreach (var claim in pair.Claims.Where(claim => claim.ContradictedWindows > 0))
        {
            yield return $"The claim {claim.Name} of {claim.Source} is false: the probes refute it in "
                + $"{Quantity.Count(claim.ContradictedWindows)} of "
                + $"{Quantity.Count(pair.Offset?.Windows ?? 0)} windows.";
        }

        if (pair.Probes.Contradicting > 0)
        {
            yield return $"{Quantity.Count(pair.Probes.Contradicting)} probes contradict the others: a clock "
                + "that jumps back and forth, or a consumer whose stamps are not those of a clock.";
        }

        if (pair.Probes.Impossible > 0)
        {
            yield return $"{Quantity.Count(pair.Probes.Impossible)} probes have stamps that no clock can give: "
                + "echoed before received, or kept for longer than they were away.";
        }

        if (pair.ImpossibleStamps > 0)
            yield return $"{Quantity.Count(pair.ImpossibleStamps)} echoes have stamps that no clock can give.";

        if (pair.Probes.Contradicting == 0 && pair.Offset is { ContradictedWindows: 0 } offset
            && offset.Windows - offset.ProvenWindows - offset.UnboundedWindows is > 0 and var unproven)
        {
            yield return $"E is not proven in {Quantity.Count(unproven)} of {Quantity.Count(offset.Windows)} "
                + "windows: a clock jumped again and again, or drifted faster than anything was seen to.";
        }

        foreach (var series in pair.Series.Where(series => series.NegativesBeyondError > 0))
        {
            yield return $"{Quantity.Count(series.NegativesBeyondError)} values of {series.Name} are negative by more "
                + "than E: an assumption does not hold.";
        }
    }
}
