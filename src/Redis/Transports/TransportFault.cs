namespace RedisLatency.Redis.Transports;

/// <summary>How a lost connection is told.</summary>
internal static class TransportFault
{
    /// <param name="address">Where the connection led.</param>
    /// <param name="cause">What the system says, or null where the server closed in good order.</param>
    /// <param name="innerException">What was caught.</param>
    public static RedisConnectionLostException Lost(string address, string? cause, Exception? innerException = null) =>
        new(
            cause is null ? $"{address} closed the connection" : $"the connection to {address} is lost: {cause}",
            innerException);
}
