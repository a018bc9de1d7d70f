namespace RedisLatency.Redis.EventLoops;

/// <summary>A socket that is ready.</summary>
/// <param name="Token">The number it was registered with.</param>
/// <param name="Readiness">What it is ready for.</param>
public readonly record struct ReadyEvent(int Token, Readiness Readiness);
