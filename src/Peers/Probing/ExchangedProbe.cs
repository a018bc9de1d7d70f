using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Peers.Probing;

/// <summary>A probe that was answered.</summary>
/// <param name="Probe">Its four stamps.</param>
/// <param name="Pair">Which pair it is one of, from 0.</param>
/// <param name="IsSecond">Whether it is the one sent a small gap after the other.</param>
/// <param name="PeerStatus">What the peer said of its clock with the answer.</param>
public readonly record struct ExchangedProbe(ClockProbe Probe, long Pair, bool IsSecond, ClockStatus PeerStatus);
