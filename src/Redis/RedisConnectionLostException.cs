namespace RedisLatency.Redis;

/// <summary>An open connection ended: the server closed it, or the network did.</summary>
public sealed class RedisConnectionLostException(string message, Exception? innerException = null)
    : RedisException(message, innerException);
