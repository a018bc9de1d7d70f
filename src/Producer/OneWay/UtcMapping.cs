using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Producer.OneWay;

/// <summary>What two hosts' claims of UTC say of the offset between their monotonic clocks.</summary>
internal static class UtcMapping
{
    public const string Name = "utc";

    // UTC = A + offset of A = B + offset of B, so θ = B − A is the difference of the two offsets, each as wrong as its
    // host says. The consumer spoke between two words of the producer's: what those differ by is what the producer's
    // offset may have moved meanwhile; where it spoke before both, as fast as clocks are assumed to drift.
    public static OffsetClaim? Claim(
        in ClockStatus before, in ClockStatus after, in ClockStatus consumer, OffsetAssumptions assumptions)
    {
        if (before.UtcErrorNs < 0 || after.UtcErrorNs < 0 || consumer.UtcErrorNs < 0)
            return null;
        var offset = after.UtcOffsetNs - consumer.UtcOffsetNs;
        var atNs = consumer.SampledAtNs - offset;
        var outsideNs = Math.Max(0, Math.Max(before.SampledAtNs - atNs, atNs - after.SampledAtNs));
        var drift = 1e-6 * 2 * (assumptions.OscillatorPpm + assumptions.UnsampledSlewPpm);
        var error = Math.Max(before.UtcErrorNs, after.UtcErrorNs) + consumer.UtcErrorNs
            + Math.Abs(after.UtcOffsetNs - before.UtcOffsetNs) + (long)Math.Ceiling(outsideNs * drift);
        return new OffsetClaim(Name, OffsetClaimKind.Utc, atNs, offset - error, offset + error);
    }
}
