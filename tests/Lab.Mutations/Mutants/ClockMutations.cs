namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes about the two clocks.</summary>
internal static class ClockMutations
{
    private const string Windows = "Metrics/Clocks/Offsets/OffsetTracker.Windows.cs";
    private const string Truth = "truth in θ ± E";

    public static IReadOnlyList<Mutation> All { get; } =
    [
        new("the sign of θ, in the windows",
            Windows,
            "OffsetNs = Nanoseconds.Nearest(middle, baseNs),",
            "OffsetNs = -Nanoseconds.Nearest(middle, baseNs),",
            new Miss("walk", Truth)),
        new("E halved",
            Windows,
            "Math.Max(interval.High - offset, offset - interval.Low)",
            "(Math.Max(interval.High - offset, offset - interval.Low) / 2)",
            new Miss("one-sided", Truth),
            new Miss("negatives", Truth)),
        new("the sign of the drift's upper bound",
            Windows,
            "SkewHighPpm = estimate.SlopeHighPpm,",
            "SkewHighPpm = -estimate.SlopeLowPpm,",
            new Miss("direct", "drift inside its interval")),
        new("a step taken for more of the same",
            "Metrics/Clocks/Offsets/Regimes/RegimeTimeline.cs",
            "else if (_rivals == 0 && _current.Agrees(probe, drift))",
            "else if (_rivals == 0)",
            new Miss("step", "steps")),
        new("sampled slews counted as 0",
            "Metrics/Clocks/Offsets/OffsetTracker.cs",
            "_budget.Add(side, atNs, ppm);",
            "_budget.Add(side, atNs, 0);",
            new Miss("slew", "steps")),
        new("slew changes that never split the hull",
            "Metrics/Clocks/Offsets/Drift/DriftBudget.cs",
            "if (wider.LargestPpm > RateChangePpm)",
            "if (wider.LargestPpm > 1e9)",
            new Miss("slew", "windows parted by a change of rate")),
        new("slew changes that neither split nor bend the hull",
            "Metrics/Clocks/Offsets/Drift/DriftBudget.cs",
            "var wider = spread.Including(_rates[0].Range(fromNs, toNs), _rates[1].Range(fromNs, toNs));",
            "var wider = spread;",
            new Miss("slew", "windows that fit no line")),
        new("a break window of one side only",
            Windows,
            "Cover(before).Unite(Cover(after))",
            "Cover(after)",
            new Miss("step", Truth)),
        new("wander ignored",
            "Metrics/Clocks/Offsets/OffsetTracker.cs",
            "_wanderPpm = assumptions.WanderPpm;",
            "_wanderPpm = 0;",
            new Miss("rate-change", Truth)),
    ];
}
