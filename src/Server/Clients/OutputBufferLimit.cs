namespace RedisLatency.Server.Clients;

/// <summary>
/// How much unread output a subscriber may leave on the server before it is dropped, as Redis's
/// <c>client-output-buffer-limit pubsub</c>.
/// </summary>
/// <param name="HardBytes">Dropped at once above so many bytes; zero means no limit.</param>
/// <param name="SoftBytes">Dropped when above so many bytes for longer than <paramref name="SoftTime"/>.</param>
/// <param name="SoftTime">How long the soft limit may be exceeded.</param>
public sealed record OutputBufferLimit(long HardBytes, long SoftBytes, TimeSpan SoftTime)
{
    /// <summary>Redis's default: 32 MiB hard, 8 MiB for 60 s soft.</summary>
    public static OutputBufferLimit Default { get; } = new(32L << 20, 8L << 20, TimeSpan.FromSeconds(60));
}
