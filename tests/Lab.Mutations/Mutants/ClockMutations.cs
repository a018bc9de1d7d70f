namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes about two clocks that run on.</summary>
internal static class ClockMutations
{
    private const string Windows = "Metrics/Offsets/OffsetTracker.Windows.cs";
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
        // Found however wide the interval is, as it is on a busy machine.
        new("the drift's upper bound is its lower one",
            Windows,
            "SkewHighPpm = estimate.SlopeHighPpm,",
            "SkewHighPpm = estimate.SlopeLowPpm,",
            new Miss("direct", "drift inside its interval"),
            new Miss("rate-change", "drift inside its interval")),
    ];
}
