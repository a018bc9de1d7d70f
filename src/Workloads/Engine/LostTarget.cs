using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Engine;

/// <summary>A target gone at the end of a phase; silent if it was connected, and answered nothing.</summary>
internal sealed record LostTarget(RedisEndpoint Target, bool IsSilent);
