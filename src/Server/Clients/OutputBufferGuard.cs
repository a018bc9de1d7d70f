using System.Diagnostics;

namespace RedisLatency.Server.Clients;

/// <summary>Drops subscribers whose output exceeds the limit, as Redis does.</summary>
internal sealed class OutputBufferGuard(OutputBufferLimit limit, ServerStatistics statistics)
{
    private readonly long _softTime = (long)(limit.SoftTime.TotalSeconds * Stopwatch.Frequency);

    public void Check(ClientConnection client)
    {
        long pending = client.Output.Pending;
        if (limit.HardBytes > 0 && pending > limit.HardBytes)
            Drop(client);
        else if (limit.SoftBytes > 0 && pending > limit.SoftBytes)
            CheckSoftTime(client);
        else
            client.OverSoftLimitSince = 0;
    }

    private void CheckSoftTime(ClientConnection client)
    {
        var now = Stopwatch.GetTimestamp();
        if (client.OverSoftLimitSince == 0)
            client.OverSoftLimitSince = now;
        else if (now - client.OverSoftLimitSince > _softTime)
            Drop(client);
    }

    private void Drop(ClientConnection client)
    {
        if (client.ClosesNow)
            return;
        client.ClosesNow = true;
        statistics.SubscribersDropped++;
    }
}

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
