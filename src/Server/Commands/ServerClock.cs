namespace RedisLatency.Server.Commands;

/// <summary>
/// The server's time, read at most once per turn of the event loop, as Redis caches it: all commands of one turn see
/// the same instant, and commands that need none do not pay for it.
/// </summary>
internal sealed class ServerClock(TimeProvider provider)
{
    private const long Unread = long.MinValue;

    private long _milliseconds = Unread;

    /// <summary>Milliseconds since the Unix epoch, in this turn.</summary>
    public long Milliseconds
    {
        get
        {
            if (_milliseconds == Unread)
                _milliseconds = provider.GetUtcNow().ToUnixTimeMilliseconds();
            return _milliseconds;
        }
    }

    /// <summary>Microseconds since the Unix epoch, now.</summary>
    public long Microseconds => (provider.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    public void Forget() => _milliseconds = Unread;
}
