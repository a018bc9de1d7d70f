namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes about how fast the two clocks part.</summary>
internal static class RateMutations
{
    private const string Budget = "Metrics/Regimes/DriftBudget.cs";
    private const string Parted = "windows parted by a change of rate";

    public static IReadOnlyList<Mutation> All { get; } =
    [
        new("sampled slews counted as 0",
            "Metrics/Offsets/OffsetTracker.cs",
            "_budget.Add(side, atNs, ppm);",
            "_budget.Add(side, atNs, 0);",
            new Miss("slew", Parted)),
        new("slew changes that never split the hull",
            Budget,
            "if (wider.LargestPpm > RateChangePpm)",
            "if (wider.LargestPpm > 1e9)",
            new Miss("slew", Parted)),
        new("slew changes that neither split nor bend the hull",
            Budget,
            "var wider = spread.Including(_rates[0].Range(fromNs, toNs), _rates[1].Range(fromNs, toNs));",
            "var wider = spread;",
            new Miss("slew", Parted)),
        new("a crystal never worse than assumed",
            Budget,
            "OscillatorPpm += missing / PerMillion / 2;",
            "_ = missing;",
            new Miss("fast-crystal", "proven, of the time")),
    ];
}
