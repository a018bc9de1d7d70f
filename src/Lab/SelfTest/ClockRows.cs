using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Lab.SelfTest;

/// <summary>Rows about clocks, with nothing between the two processes but a server.</summary>
internal static class ClockRows
{
    private const long Microsecond = 1_000;
    private const long Millisecond = 1_000_000;
    private const long Second = 1_000_000_000;

    private const long MostError = 100 * Microsecond;
    private const long StepNs = 5 * Millisecond;

    // The round trip on a busy machine, within which a line can turn: 25 ppm in ten seconds.
    private const long Noise = 250 * Microsecond;

    // Only on the direct path and after a minute is the drift asked for to a part in a million.
    private static readonly TimeSpan LongEnough = TimeSpan.FromSeconds(55);

    public static IEnumerable<Row> All { get; } =
    [
        new("direct", "clocks 100 s apart (time namespace), drifting 12 ppm (synthetic)", _ => Direct, CheckDirect)
        { NeedsMachine = true },
        new("walk", "a crystal whose frequency walks within 0.05 ppm around -8 ppm", _ => Walk, CheckWalk)
        { NeedsMachine = true },
        new("step", "the consumer's clock steps by 5 ms in the middle", Step, CheckStep) { NeedsMachine = true },
    ];

    private static World Direct => new() { NamespaceSeconds = 100, ConsumerClock = "skew=12ppm" };

    private static IEnumerable<Finding> CheckDirect(Observation seen) =>
    [
        .. OffsetChecks.InsideWithDrift(seen),
        OffsetChecks.SkewNarrow(seen, Noise),
        OffsetChecks.ErrorBetween(seen, 0, MostError),
        .. seen.World.Length >= LongEnough ? [OffsetChecks.SkewWithin(seen, 1)] : Array.Empty<Finding>(),
        .. MessageChecks.Medians(seen, 10 * Microsecond),
        MessageChecks.NothingDropped(seen),
    ];

    private static World Walk => new() { ConsumerClock = "offset=3s,skew=-8ppm,walk=0.05ppm,seed=7" };

    private static IEnumerable<Finding> CheckWalk(Observation seen) =>
    [
        .. OffsetChecks.InsideWithDrift(seen),
        OffsetChecks.SkewNarrow(seen, Noise),
        OffsetChecks.ErrorBetween(seen, 0, MostError),
        MessageChecks.Exactly("steps", 0, seen.Pair.Offset?.Steps),
        .. MessageChecks.Medians(seen, 10 * Microsecond),
    ];

    private static World Step(TimeSpan length) => new()
    { ConsumerClock = $"offset=40ms,skew=20ppm,step=5ms@{World.At(length, 0.5)}" };

    private static IEnumerable<Finding> CheckStep(Observation seen)
    {
        var steps = seen.Windows.Where(window => window.Break == OffsetBreak.Step).ToArray();
        var truth = seen.Clocks.BreaksNs.Single();
        foreach (var finding in OffsetChecks.InsideWithDrift(seen))
            yield return finding;
        yield return MessageChecks.Exactly("steps", 1, seen.Pair.Offset?.Steps);
        if (steps is not [var step, ..])
            yield break;
        yield return new Finding(
            "its size, within its own bound",
            Amount.Of(StepNs),
            $"{Amount.Of(step.StepNs)} ± {Amount.Of(step.StepErrorNs ?? 0)}",
            Math.Abs(step.StepNs - StepNs) <= step.StepErrorNs + Microsecond);
        // How short the window is says only how often the busy machine probed; within it the jump must be.
        yield return new Finding(
            "its place, in a window of a second at most",
            "there",
            $"from {Amount.Of(step.StartNs - truth)} to {Amount.Of(step.EndNs - truth)} of it",
            truth >= step.StartNs && truth <= step.EndNs && step.EndNs - step.StartNs <= Second);
        foreach (var median in MessageChecks.Medians(seen, 10 * Microsecond))
            yield return median;
        yield return MessageChecks.NothingDropped(seen);
    }
}
