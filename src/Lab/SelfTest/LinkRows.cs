using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.SelfTest;

internal static class LinkRows
{
    private const long Millisecond = 1_000_000;

    // What the quickest of many messages still differ by, on a busy machine: 15 ppm in ten seconds. The interval of the
    // drift is as wide as what is assumed of crystals on such ways, but the drift must not be far.
    private const long Noise = 150_000;

    public static IEnumerable<Row> All { get; } =
    [
        new("wan", "a link of 14 ms each way", _ => Wan(14, 14), CheckWan),
        new("wan-floor", "the same, with floors of 13.5 ms given as a distance", _ => WanFloor, CheckWanFloor),
        new("asymmetric", "a link of 14 ms there and 20 ms back",
            _ => Wan(14, 20), CheckAsymmetric),
        new("one-sided", "a link that delays only the way back, by 20 ms",
            _ => Wan(0, 20), CheckOneSided),
        new("stall", "a link of 2 ms that stalls for 300 ms on the way there", Stall, CheckStall),
        new("udp", "probes over UDP, 2 ms there and 5 ms back, lossy; messages 14 and 20 ms", _ => Udp, CheckUdp),
    ];

    private static World Wan(double forward, double back) => new()
    {
        ConsumerClock = "offset=250ms,skew=40ppm",
        Link = LinkProfile.Of(TimeSpan.FromMilliseconds(forward), TimeSpan.FromMilliseconds(back)),
    };

    private static IEnumerable<Finding> Inside(Observation seen, long noiseNs = Noise) =>
        [.. OffsetChecks.Inside(seen), OffsetChecks.SkewNear(seen, noiseNs)];

    private static IEnumerable<Finding> CheckWan(Observation seen) =>
    [
        .. Inside(seen),
        OffsetChecks.OffsetWithin(seen, Millisecond / 2),
        OffsetChecks.ErrorBetween(seen, 13 * Millisecond, 16 * Millisecond),
        .. MessageChecks.Judgement(seen, OneWayHeadline.RoundTrip, OneWayGrade.C, OneWayGrade.D),
        MessageChecks.NothingDropped(seen),
    ];

    // 13.5 ms of light in a vacuum.
    private static World WanFloor => Wan(14, 14) with { ProducerOptions = ["--floor-distance", "4047km"] };

    private static IEnumerable<Finding> CheckWanFloor(Observation seen) =>
    [
        .. Inside(seen),
        OffsetChecks.OffsetWithin(seen, Millisecond / 2),
        OffsetChecks.ErrorBetween(seen, 0, Millisecond),
        // What a busy machine adds to E costs the grade, and rightly.
        .. seen.Pair.Series.All(series => series.ErrorNs <= Millisecond)
            ? MessageChecks.Judgement(seen, OneWayHeadline.OneWay, OneWayGrade.A, OneWayGrade.B)
            : [],
    ];

    private static IEnumerable<Finding> CheckAsymmetric(Observation seen) =>
    [
        .. Inside(seen),
        OffsetChecks.OffsetWithin(seen, Millisecond / 2, -3 * Millisecond),
        OffsetChecks.ErrorBetween(seen, 16 * Millisecond, 19 * Millisecond),
        .. Invisible(seen),
        .. MessageChecks.Judgement(seen, OneWayHeadline.RoundTrip, OneWayGrade.C, OneWayGrade.D),
    ];

    private static IEnumerable<Finding> CheckOneSided(Observation seen) =>
    [
        .. Inside(seen),
        OffsetChecks.OffsetWithin(seen, Millisecond / 2, -10 * Millisecond),
        .. Invisible(seen),
        .. MessageChecks.Judgement(seen, OneWayHeadline.RoundTrip, OneWayGrade.C, OneWayGrade.D),
    ];

    // The report does not pretend to know the split: it says the two ways to be equal, with a bound in which both
    // that and the truth lie.
    private static IEnumerable<Finding> Invisible(Observation seen)
    {
        var truth = MessageChecks.Mean(seen, message => MessageChecks.TrueForward(seen, message))
            - MessageChecks.Mean(seen, message => MessageChecks.TrueBack(seen, message));
        var asymmetry = seen.Pair.Asymmetry;
        yield return new Finding(
            "there less back, not known",
            Amount.Of(truth),
            asymmetry is null
                ? Quantity.None
                : $"{Amount.Of(asymmetry.ForwardMinusBackNs)} ± {Amount.Of(asymmetry.ErrorNs)}",
            asymmetry is not null
                && Math.Abs(asymmetry.ForwardMinusBackNs - truth) <= asymmetry.ErrorNs
                && Math.Abs(asymmetry.ForwardMinusBackNs) <= asymmetry.ErrorNs);
    }

    // The link begins before the first message is measured, and who knows how long: one of them falls into any run of
    // that length.
    private static World Stall(TimeSpan length) => new()
    {
        Link = new LinkProfile
        {
            Forward = new LinkSettings
            {
                Delay = TimeSpan.FromMilliseconds(2),
                Stalls =
                [
                    .. Enumerable.Range(1, 10).Select(turn => new LinkSpan(
                        TimeSpan.FromSeconds(2) + (turn * length / 2), TimeSpan.FromMilliseconds(300))),
                ],
            },
            Back = new LinkSettings { Delay = TimeSpan.FromMilliseconds(2) },
        },
    };

    private static IEnumerable<Finding> CheckStall(Observation seen)
    {
        var forward = seen.Messages.Select(message => MessageChecks.TrueForward(seen, message)).DefaultIfEmpty().Max();
        var reported = seen.Series(MessageChecks.Forward);
        foreach (var finding in OffsetChecks.Inside(seen))
            yield return finding;
        yield return OffsetChecks.OffsetWithin(seen, Millisecond / 2);
        yield return new Finding(
            "forward, max: the stall, within E",
            Amount.Of(forward),
            reported?.Max is { } max ? Amount.Of(max) : Quantity.None,
            forward >= 290 * Millisecond && reported?.Max is { } most && Math.Abs(most - forward) <= reported.ErrorNs);
        yield return MessageChecks.Exactly("lost", 0, seen.Summary.Count(Counted.Lost));
        foreach (var median in MessageChecks.Medians(seen, Millisecond / 2))
            yield return median;
        yield return MessageChecks.NothingDropped(seen);
    }

    private static World Udp => Wan(14, 20) with
    {
        ProbeLink = new LinkProfile
        {
            Forward = new LinkSettings { Delay = TimeSpan.FromMilliseconds(2), Loss = 0.05, Duplicate = 0.05 },
            Back = new LinkSettings { Delay = TimeSpan.FromMilliseconds(5), Loss = 0.05, Reorder = 0.05 },
        },
    };

    private static IEnumerable<Finding> CheckUdp(Observation seen)
    {
        var carried = seen.ProbeLink!.Forward.Given.TotalCount;
        // Its line rests on 50 probes a second, not on 500 messages: there are fewer quick ones among them.
        foreach (var finding in Inside(seen, 3 * Noise))
            yield return finding;
        yield return OffsetChecks.OffsetWithin(seen, Millisecond / 2, -1_500_000);
        // 3.5 ms are half of the planted round trip; the rest is what the quickest of some thirty probes met on the
        // way.
        yield return OffsetChecks.ErrorBetween(seen, 3 * Millisecond, 5 * Millisecond);
        yield return new Finding(
            "probes answered over UDP",
            $"at most {Quantity.Count(carried)}",
            Quantity.Count(seen.Pair.Probes.Answered),
            seen.Pair.Probes.Answered > 0 && seen.Pair.Probes.Answered <= carried
                && seen.Pair.Probes.Lanes.Any(lane => lane.StartsWith("udp", StringComparison.Ordinal)));
        foreach (var finding in Invisible(seen))
            yield return finding;
    }
}
