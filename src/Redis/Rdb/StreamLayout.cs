namespace RedisLatency.Redis.Rdb;

/// <summary>What the versions of a stream's encoding have.</summary>
/// <param name="HasCounts">First and last deleted id, entries added; of groups entries read (Redis 7.0).</param>
/// <param name="HasActiveTime">When a consumer last got something (7.2).</param>
/// <param name="HasProducers">Producers' ids (8.6).</param>
/// <param name="HasUnowned">Pending entries that no consumer has (8.8).</param>
internal readonly record struct StreamLayout(bool HasCounts, bool HasActiveTime, bool HasProducers, bool HasUnowned)
{
    public static StreamLayout Of(byte type) => new(
        type >= RdbType.Stream2, type >= RdbType.Stream3, type >= RdbType.Stream4, type >= RdbType.Stream5);
}
