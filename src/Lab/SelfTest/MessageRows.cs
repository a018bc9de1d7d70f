using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.SelfTest;

internal static class MessageRows
{
    private const long Microsecond = 1_000;
    private const long Millisecond = 1_000_000;
    private const double SlowRate = 100;

    private static readonly TimeSpan Kept = TimeSpan.FromMilliseconds(4);

    public static IEnumerable<Row> All { get; } =
    [
        new("faults", "3 messages and 2 echoes dropped, 4 echoes doubled, 5 overtaken", _ => Faults, CheckFaults),
        new("residence", "a consumer that keeps every message for 4 ms", _ => Residence, CheckResidence)
        { NeedsMachine = true },
        new("no-echo", "no echo: 5 ms there, probes over UDP, 1 ms each way", _ => NoEcho, CheckNoEcho),
        new("negatives", "no echo, and probes that mislead: 20 ms there, 0 back", _ => Negatives, CheckNegatives),
    ];

    private static World Faults => new() { Faults = Plant, ProducerOptions = ["--receive-deadline", "2s"] };

    // Late enough that warm-up and hello are over; each far from the others, so that none counts for two.
    private static void Plant(FaultScript script, string messages, string echoes)
    {
        var turn = 1000;
        for (var fault = 0; fault < 3; fault++)
            script.DropMessage(turn += 20, messages);
        for (var fault = 0; fault < 2; fault++)
            script.DropMessage(turn += 20, echoes);
        for (var fault = 0; fault < 4; fault++)
            script.DuplicateMessage(turn += 20, echoes);
        for (var fault = 0; fault < 5; fault++)
            script.ReorderMessage(turn += 20, echoes);
    }

    private static IEnumerable<Finding> CheckFaults(Observation seen) =>
    [
        .. MessageChecks.Counts(seen, lost: 5, duplicated: 4, reordered: 5),
        MessageChecks.Exactly(
            "returned", (seen.Summary.Count(Counted.Sent) ?? 0) - 5, seen.Summary.Count(Counted.Returned)),
        .. OffsetChecks.InsideWithDrift(seen),
        MessageChecks.NothingDropped(seen),
    ];

    private static World Residence => new() { Rate = SlowRate, Hold = Kept };

    private static IEnumerable<Finding> CheckResidence(Observation seen)
    {
        var kept = MessageChecks.Mean(seen, message => message.Echoed - message.Received);
        var away = MessageChecks.Mean(seen, message => message.Returned - message.Sent);
        yield return new Finding(
            "kept by the consumer, mean", "at least 4 ms", Amount.Of(kept), kept >= Kept.TotalNanoseconds);
        foreach (var finding in OffsetChecks.InsideWithDrift(seen))
            yield return finding;
        yield return OffsetChecks.OffsetWithin(seen, Millisecond / 2);
        yield return OffsetChecks.ErrorBetween(seen, 0, Millisecond);
        // A hundred probes a second on a busy machine: a residence in either way would be 4 ms.
        foreach (var median in MessageChecks.Medians(seen, 100 * Microsecond))
            yield return median;
        yield return new Finding(
            "both ways without it, mean",
            Amount.Of(away - kept),
            seen.Pair.Check is { } check ? Amount.Of(check.NetworkMeanNs) : Quantity.None,
            seen.Pair.Check is { } sum && Math.Abs(sum.NetworkMeanNs - (away - kept)) <= Microsecond
                && Math.Abs(sum.DifferenceNs) <= Microsecond);
    }

    private static World NoEcho => new()
    {
        HasEcho = false,
        ConsumerClock = "offset=70ms,skew=5ppm",
        Link = LinkProfile.Of(TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(5)),
        ProbeLink = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(1)),
    };

    private static IEnumerable<Finding> CheckNoEcho(Observation seen) =>
    [
        .. OffsetChecks.Inside(seen),
        OffsetChecks.ErrorBetween(seen, Millisecond / 2, 2 * Millisecond),
        MessageChecks.Exactly(
            "messages of forward", seen.Summary.Count(Counted.Sent) ?? 0, seen.Series(MessageChecks.Forward)?.Count),
        MessageChecks.MeanIs(seen, MessageChecks.Forward, seen.Link!.Forward.Given.Mean, 3 * Millisecond),
    ];

    private static World Negatives => new()
    {
        HasEcho = false,
        ProbeLink = LinkProfile.Of(TimeSpan.FromMilliseconds(20), TimeSpan.Zero),
    };

    private static IEnumerable<Finding> CheckNegatives(Observation seen)
    {
        var forward = seen.Series(MessageChecks.Forward);
        var sent = seen.Summary.Count(Counted.Sent) ?? 0;
        foreach (var finding in OffsetChecks.Inside(seen))
            yield return finding;
        yield return OffsetChecks.OffsetWithin(seen, Millisecond / 2, 10 * Millisecond);
        yield return MessageChecks.Exactly("messages of forward", sent, forward?.Count);
        yield return new Finding(
            "negative ones: kept and counted",
            $"nearly all of {Quantity.Count(sent)}",
            Amount.Count(forward?.Negatives),
            forward?.Negatives > 0.9 * sent);
        yield return MessageChecks.Exactly("negative by more than E", 0, forward?.NegativesBeyondError);
        yield return new Finding(
            "forward, min",
            "about -10 ms",
            forward?.Min is { } min ? Amount.Of(min) : Quantity.None,
            forward?.Min is <= -8 * Millisecond and >= -12 * Millisecond);
    }
}
