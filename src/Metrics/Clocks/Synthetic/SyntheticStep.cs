namespace RedisLatency.Metrics.Clocks.Synthetic;

/// <summary>A jump of a synthetic clock.</summary>
/// <param name="StepNs">How far, in nanoseconds; negative is backwards.</param>
/// <param name="AfterNs">When, in nanoseconds of the host's clock after the anchor.</param>
internal readonly record struct SyntheticStep(long StepNs, long AfterNs);
