namespace RedisLatency.Redis;

/// <summary>
/// What came is not RESP, or exceeds the bounds on depth or size; the connection cannot be used any more.
/// </summary>
public sealed class RedisProtocolException(string message) : RedisException(message);
