namespace RedisLatency.Redis;

/// <summary>A connection could not be opened. The message names the endpoint, never a password.</summary>
public sealed class RedisConnectException(ConnectFailure reason, string message, Exception? innerException = null)
    : RedisException(message, innerException)
{
    /// <summary>Why.</summary>
    public ConnectFailure Reason { get; } = reason;
}
