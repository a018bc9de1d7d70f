using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Server.Running;

/// <summary>The listening socket; may be closed and opened again on the same port or path.</summary>
internal sealed class Listener(InProcessServerOptions options) : IDisposable
{
    private const int Backlog = 511;

    public Socket? Socket { get; private set; }

    /// <summary>The port that was taken first; zero on a Unix socket.</summary>
    public int Port { get; private set; } = options.Port;

    /// <exception cref="SocketException">The port or path is taken, or not permitted.</exception>
    public void Open()
    {
        if (Socket is not null)
            return;
        var endPoint = EndPoint();
        var protocol = options.UnixSocketPath is null ? ProtocolType.Tcp : ProtocolType.Unspecified;
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, protocol);
        try
        {
            // The same port must be had again while connections of before linger; Windows would share it instead.
            if (!OperatingSystem.IsWindows() && protocol == ProtocolType.Tcp)
                socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
            socket.Bind(endPoint);
            socket.Listen(Backlog);
            socket.Blocking = false;
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        Socket = socket;
        Port = (socket.LocalEndPoint as IPEndPoint)?.Port ?? 0;
    }

    /// <summary>The next connection that waits, or null.</summary>
    public Socket? Accept()
    {
        if (Socket is null || !Socket.Poll(0, SelectMode.SelectRead))
            return null;
        try
        {
            return Socket.Accept();
        }
        catch (SocketException)
        {
            // The client has gone again, or there is no descriptor left; the next one may succeed.
            return null;
        }
    }

    public void Dispose()
    {
        if (Socket is null)
            return;
        Socket.Dispose();
        Socket = null;
        if (options.UnixSocketPath is { } path)
            File.Delete(path);
    }

    private EndPoint EndPoint() =>
        options.UnixSocketPath is { } path ? new UnixDomainSocketEndPoint(path) : new IPEndPoint(options.Address, Port);
}
