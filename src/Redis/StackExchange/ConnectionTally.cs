using System.Net;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// How many connections of a client have ended and come back, by what it tells. From 2.0 on it may also tell of the
/// first connection that it has come back, after it has said that it is connected: only what was lost can.
/// </summary>
internal sealed class ConnectionTally
{
    private static readonly object Unnamed = new();

    private readonly HashSet<object> _away = [];
    private long _lost;
    private long _restored;

    public long Lost => Interlocked.Read(ref _lost);

    public long Restored => Interlocked.Read(ref _restored);

    public void CountLost(EndPoint? server)
    {
        lock (_away)
        {
            if (_away.Add(server ?? Unnamed))
                Interlocked.Increment(ref _lost);
        }
    }

    public void CountRestored(EndPoint? server)
    {
        lock (_away)
        {
            if (_away.Remove(server ?? Unnamed))
                Interlocked.Increment(ref _restored);
        }
    }
}
