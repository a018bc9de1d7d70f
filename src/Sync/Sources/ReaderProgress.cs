namespace RedisLatency.Sync.Sources;

/// <param name="Phase">In a word or two: <c>scanning</c>, <c>receiving rdb</c>, <c>syncing aof</c>.</param>
/// <param name="Done">The share that is done, from 0 to 1; null where there is no end, or none is known.</param>
internal sealed record ReaderProgress(string Phase, double? Done = null)
{
    /// <summary>When the oldest was received that waits here, by the monotonic clock; 0 where nothing does.</summary>
    public long OldestNs { get; init; }

    /// <summary>What its status page has beside, by the names that RedisShake gives them.</summary>
    public IReadOnlyDictionary<string, object> Fields { get; init; } = new Dictionary<string, object>();
}
