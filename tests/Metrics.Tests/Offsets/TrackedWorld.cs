using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>A world and what a tracker made of it.</summary>
internal sealed class TrackedWorld
{
    public TrackedWorld(WorldOptions options, OffsetAssumptions assumptions, params OffsetClaim[] claims)
    {
        Options = options;
        World = new ClockWorld(options);
        Tracker = new OffsetTracker(assumptions);
        foreach (var claim in claims)
            Tracker.Add(claim);
        foreach (var told in World.Events())
        {
            told.TellTo(Tracker);
            while (Tracker.TryTake(out var window))
                Windows.Add(window);
        }

        Tracker.Complete(World.EndNs);
        while (Tracker.TryTake(out var window))
            Windows.Add(window);
    }

    public WorldOptions Options { get; }

    public ClockWorld World { get; }

    public OffsetTracker Tracker { get; }

    public List<OffsetWindow> Windows { get; } = [];

    /// <summary>
    /// Every instant tried at which the truth is not within the bound, or the skew not within its range.
    /// </summary>
    public IEnumerable<string> Misses()
    {
        // Where every probe was lost, nothing is said.
        if (Tracker.Totals.Probes == 0 && Windows.Count == 0)
            yield break;
        var random = new Random(Options.Seed);
        var end = Windows.Count == 0 ? 0 : Windows[0].StartNs;
        foreach (var window in Windows)
        {
            if (window.StartNs != end || window.EndNs <= window.StartNs)
                yield return $"{Options}: window starts at {window.StartNs}, the last one ended at {end}";
            end = window.EndNs;
            for (var i = 0; i < 8; i++)
            {
                var at = i switch
                {
                    0 => window.StartNs,
                    1 => window.EndNs - 1,
                    2 => window.ReferenceNs,
                    _ => random.NextInt64(window.StartNs, window.EndNs),
                };
                var miss = Math.Abs(World.OffsetAt(at, window.OffsetNs) - (window.OffsetAt(at) - window.OffsetNs));
                var bound = window.ErrorAt(at);
                if (miss > bound || bound > window.ErrorNs)
                    yield return $"{Options}: off by {miss:F1} ns of {bound} (window {window.ErrorNs}) at "
                        + $"{(at - World.ProducerStartNs) / 1e9:F4} s, break {window.Break}";
            }

            if (window.Break is OffsetBreak.Step or OffsetBreak.Suspended)
                continue;
            var skew = (World.OffsetAt(window.EndNs - 1) - World.OffsetAt(window.StartNs))
                / (window.EndNs - 1 - window.StartNs) * 1e6;
            // Stamps of a window of a few milliseconds say nothing of it, and rounding is then seen.
            var rounding = 1e-3 / (window.EndNs - window.StartNs) * 1e6;
            if (skew < window.SkewLowPpm - rounding || skew > window.SkewHighPpm + rounding)
                yield return $"{Options}: skew {skew:F4} ppm not in [{window.SkewLowPpm:F4}, {window.SkewHighPpm:F4}] "
                    + $"at {(window.ReferenceNs - World.ProducerStartNs) / 1e9:F3} s";
        }

        if (end != World.EndNs)
            yield return $"{Options}: ends at {end}, not {World.EndNs}";
    }
}
