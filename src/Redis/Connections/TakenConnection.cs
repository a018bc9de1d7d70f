using System.Net.Sockets;

namespace RedisLatency.Redis.Connections;

/// <summary>An open connection that is logged in, for an event loop to go on with.</summary>
/// <param name="Socket">Its socket; the taker closes it.</param>
/// <param name="Tls">What its bytes go through, or null where they are plain; the taker disposes of it.</param>
public readonly record struct TakenConnection(Socket Socket, TlsSession? Tls) : IDisposable
{
    /// <inheritdoc/>
    public void Dispose()
    {
        Tls?.Dispose();
        Socket?.Dispose();
    }
}
