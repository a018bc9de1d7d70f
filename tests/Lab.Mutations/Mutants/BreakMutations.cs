namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes about clocks that step or stand still.</summary>
internal static class BreakMutations
{
    private const string Truth = "truth in θ ± E";

    public static IReadOnlyList<Mutation> All { get; } =
    [
        new("a step taken for more of the same",
            "Metrics/Regimes/RegimeTimeline.cs",
            "else if (_rivals == 0 && _current.Agrees(probe, drift))",
            "else if (_rivals == 0)",
            new Miss("step", "steps")),
        new("a break window of one side only",
            "Metrics/Offsets/OffsetTracker.Windows.cs",
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
