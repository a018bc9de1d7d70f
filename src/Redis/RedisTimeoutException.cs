namespace RedisLatency.Redis;

/// <summary>A reply did not come within its time limit; the connection cannot be used any more.</summary>
public sealed class RedisTimeoutException(string message) : RedisException(message);
