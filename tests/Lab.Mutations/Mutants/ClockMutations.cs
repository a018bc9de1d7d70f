namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes about the two clocks.</summary>
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
        new("a step taken for more of the same",
            "Metrics/Regimes/RegimeTimeline.cs",
            "else if (_rivals == 0 && _current.Agrees(probe, drift))",
            "else if (_rivals == 0)",
            new Miss("step", "steps")),
        new("a break window of one side only",
            Windows,
            "new OffsetEstimate(all, all, all,",
            "new OffsetEstimate(Cover(after), Cover(after), Cover(after),",
            new Miss("step", Truth)),
        new("probes of different moments taken for one",
            "Metrics/Regimes/OffsetInterval.cs",
            "Width < roundTripNs ? Grow(roundTripNs - Width) : this;",
            "this;",
            new Miss("freeze", Truth),
            new Miss("small-step", Truth),
            new Miss("small-step-floor", Truth)),
        new("sleeps of hosts not told",
            "Metrics/Offsets/OffsetTracker.cs",
            "_timeline.Suspend(fromNs, toNs);",
            "_ = fromNs;",
            new Miss("consumer-asleep", "windows in which a host slept"),
            new Miss("producer-asleep", "windows in which a host slept")),
    ];
}
