namespace RedisLatency.Redis.Connections;

internal static class TransportFault
{
    /// <summary>The cause is what the system says; null where the server closed in good order.</summary>
    public static RedisConnectionLostException Lost(string address, string? cause, Exception? innerException = null) =>
        new(
            cause is null ? $"{address} closed the connection" : $"the connection to {address} is lost: {cause}",
            innerException);
}
