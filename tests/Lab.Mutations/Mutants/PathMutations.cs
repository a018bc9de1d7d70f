namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes about the way between the two, and what can be known of it.</summary>
internal static class PathMutations
{
    public static IReadOnlyList<Mutation> All { get; } =
    [
        new("a bound as wide as the median called good",
            "Reports/Figures/OneWayPair.cs",
            "(double)errorNs / medianNs :",
            "(double)errorNs / medianNs / 25 :",
            new Miss("wan", "grade"),
            new Miss("wan", "headline")),
        new("floors ignored",
            "Metrics/Regimes/RegimeTimeline.cs",
            " - (assumptions.ForwardFloorNs * (1 - drift))",
            string.Empty,
            new Miss("wan-floor", "E, median of the windows")),
        new("an asymmetry that pretends to be known",
            "Producer/OneWay/PairResult.cs",
            "2 * Math.Max(ErrorOf(total.Forward, pair), ErrorOf(total.Back, pair))",
            "0",
            new Miss("asymmetric", "there less back, not known")),
        new("answers to probes ignored",
            "Peers/Probing/PairProbes.cs",
            "while (exchange.TryTake(out var probe))",
            "while (false && exchange.TryTake(out var probe))",
            // Not the offset: what a busy machine adds to its bound hides the 1.5 ms by which it is wrong.
            new Miss("udp", "E, median of the windows"),
            new Miss("udp", "probes answered over UDP")),
    ];
}
