namespace RedisLatency.Redis.Psync;

/// <summary>How far the target of a replication link is.</summary>
/// <param name="Offset">Behind the last command of data that the target has; zero before it has the data set.</param>
/// <param name="IsAll">Whether nothing that was received waits for the target.</param>
public readonly record struct ReplicaProgress(long Offset, bool IsAll);
