namespace RedisLatency.Redis.Rdb;

/// <summary>When an entry was last delivered, in milliseconds since 1970, and how often it was.</summary>
internal readonly record struct StreamDelivery(long TimeMs, ulong Count);
