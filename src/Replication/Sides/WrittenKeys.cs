namespace RedisLatency.Replication.Sides;

/// <summary>What a writer's connection came to.</summary>
/// <param name="Asked">Its keys that were due: the ones after them never were.</param>
/// <param name="Unsent">Of them those that were due while there was no connection.</param>
/// <param name="Refused">Those that the source refused.</param>
internal readonly record struct WrittenKeys(long Asked, long Unsent, long Refused);
