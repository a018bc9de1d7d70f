using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Lab.SelfTest;

/// <summary>Rows about clocks whose rate is not what crystals have, with nothing but a server between.</summary>
internal static class RateRows
{
    private const long Microsecond = 1_000;

    public static IEnumerable<Row> All { get; } =
    [
        new("slew", "the consumer's clock is slewed by 400 ppm for a while, as its host shows",
            length => Clocked($"slew=400ppm@{World.At(length, 0.3)},slew=-400ppm@{World.At(length, 0.6)}"),
            CheckSlew),
        // In a minute's run by 5 ppm; the same bend in a shorter one.
        new("rate-change", "a crystal whose rate changes in the middle, which its host does not show",
            length => Clocked($"skew={300 / length.TotalSeconds:0}ppm@{World.At(length, 0.5)}"), Check),
        new("fast-crystal", "a crystal that is fast by 300 ppm",
            _ => Clocked("skew=300ppm"), Check),
    ];

    private static World Clocked(string clock) => new() { ConsumerClock = $"offset=2s,{clock}" };

    // What the host shows is neither a step nor a surprise.
    private static IEnumerable<Finding> CheckSlew(Observation seen) =>
    [
        .. Check(seen),
        MessageChecks.Exactly("windows that fit no line", 0, Count(seen, OffsetBreak.NotLinear)),
        new Finding(
            "windows parted by a change of rate",
            "at least 1",
            Amount.Count(Count(seen, OffsetBreak.RateChange)),
            Count(seen, OffsetBreak.RateChange) > 0),
    ];

    private static int Count(Observation seen, OffsetBreak cause) =>
        seen.Windows.Count(window => window.Break == cause);

    private static IEnumerable<Finding> Check(Observation seen) =>
    [
        .. OffsetChecks.ProvenInside(seen, 0.5),
        OffsetChecks.SkewInside(seen, seen.Windows.Where(window => window.IsProven)),
        OffsetChecks.ErrorBetween(seen, 0, 500 * Microsecond),
        MessageChecks.Exactly("steps", 0, seen.Pair.Offset?.Steps),
    ];
}
