using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Producer.OneWay;

/// <summary>What is taken for granted of two clocks and the way between them, from the options.</summary>
internal static class PairAssumptions
{
    // The speed of light in a vacuum, so that no cable and no satellite is faster: 3.33564 µs for each kilometre.
    private const double NanosecondsPerKilometre = 1e6 / 299.792458;

    // A consumer may say what it likes: more than this is no clock.
    private const long LongestTickNs = 1_000_000_000;

    public static OffsetAssumptions Of(ClockOptions options, long tickNs, long consumersTickNs)
    {
        var coarser = Math.Max(tickNs, Math.Clamp(consumersTickNs, 0, LongestTickNs));
        var distance = (long)((options.FloorDistance ?? 0) * NanosecondsPerKilometre);
        var usual = new OffsetAssumptions();
        return usual with
        {
            StampErrorNs = Math.Max(usual.StampErrorNs, coarser),
            ForwardFloorNs = Math.Max(distance, Nanoseconds(options.FloorTime?.Forward)),
            BackFloorNs = Math.Max(distance, Nanoseconds(options.FloorTime?.Back)),
            UsesClaims = options.Claims == ClaimUse.Auto,
        };
    }

    public static IReadOnlyList<ClockAssumption> Describe(OffsetTracker tracker)
    {
        var assumptions = tracker.Assumptions;
        return
        [
            new("oscillator", assumptions.OscillatorPpm, "ppm", "how far either host's crystal may run from true time"),
            new("unsampled-slew", assumptions.UnsampledSlewPpm, "ppm",
                "how fast a clock may be slewed while nobody samples its rate against its crystal"),
            new("wander", assumptions.WanderPpm, "ppm",
                "how far the crystals' difference may leave its mean while one line is drawn"),
            new("unseen-step", tracker.UnseenStepNs, "ns",
                "the largest step that may be among the probes and look like queues; E contains it"),
            new("unseen-moment", tracker.UnseenMomentNs, "ns",
                "what a clock does and undoes within this no probe shows"),
            new("consumer-honesty", 1, "consumer",
                "the consumer's stamps are those of its clock: residence that it overclaims narrows E by as much"),
            new("stamp-error", assumptions.StampErrorNs, "ns", "how far a stamp may be from its clock"),
            new("forward-floor", assumptions.ForwardFloorNs, "ns", "the least time to the consumer"),
            new("back-floor", assumptions.BackFloorNs, "ns", "the least time back to the producer"),
        ];
    }

    private static long Nanoseconds(TimeSpan? time) => time?.InNanoseconds ?? 0;
}
