namespace RedisLatency.Replication.Servers;

/// <summary>What is written to one shard of the source, and read by every destination.</summary>
internal sealed record KeyStream(string? Shard, string Prefix, IServerLocator Source);
