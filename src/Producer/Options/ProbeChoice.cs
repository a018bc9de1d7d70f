using RedisLatency.Peers.Lanes;

namespace RedisLatency.Producer.Options;

/// <summary>What carries clock probes beside the messages, and where to.</summary>
/// <param name="Mode">What.</param>
/// <param name="Address">Where the consumer answers over UDP; null otherwise.</param>
internal readonly record struct ProbeChoice(ProbeMode Mode, ProbeAddress? Address = null);
