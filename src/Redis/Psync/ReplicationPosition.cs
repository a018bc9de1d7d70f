namespace RedisLatency.Redis.Psync;

/// <summary>A place in a source's stream, from which it may go on.</summary>
/// <param name="ReplicationId">Whose stream: 40 hexadecimal digits.</param>
/// <param name="Offset">The offset of the last byte that was had.</param>
public readonly record struct ReplicationPosition(string ReplicationId, long Offset);
