using RedisLatency.Metrics.Clocks.Offsets;
using RedisLatency.Metrics.Clocks.Rates;

namespace RedisLatency.Producer.OneWay;

/// <summary>What two hosts' claims of UTC say of the offset between their monotonic clocks.</summary>
internal static class UtcMapping
{
    /// <summary>The name of the claim.</summary>
    public const string Name = "utc";

    /// <summary>
    /// UTC = A + offset of A = B + offset of B, so θ = B − A is the difference of the two offsets, each as wrong as its
    /// host says, and the consumer's by its age besides.
    /// </summary>
    /// <param name="producer">The producer's clock.</param>
    /// <param name="consumer">The consumer's.</param>
    /// <param name="assumptions">How fast a clock may drift from what it said.</param>
    /// <returns>Null where one of the hosts has no accepted claim.</returns>
    public static OffsetClaim? Claim(in ClockStatus producer, in ClockStatus consumer, OffsetAssumptions assumptions)
    {
        if (producer.UtcErrorNs < 0 || consumer.UtcErrorNs < 0)
            return null;
        var offset = producer.UtcOffsetNs - consumer.UtcOffsetNs;
        var age = Math.Abs(consumer.SampledAtNs - offset - producer.SampledAtNs);
        var drift = 1e-6 * 2 * (assumptions.OscillatorPpm + assumptions.UnsampledSlewPpm);
        var error = producer.UtcErrorNs + consumer.UtcErrorNs + (long)Math.Ceiling(age * drift);
        return new OffsetClaim(Name, OffsetClaimKind.Utc, producer.SampledAtNs, offset - error, offset + error);
    }
}
