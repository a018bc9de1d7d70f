namespace RedisLatency.Metrics.Regimes;

/// <summary>Two probes sent a small gap apart (Huygens' coded probes): see <see cref="CodedPairs"/>.</summary>
/// <param name="First">The one sent first.</param>
/// <param name="Second">The one sent right after it.</param>
public readonly record struct ProbePair(ClockProbe First, ClockProbe Second);
