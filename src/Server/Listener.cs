using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Server;

internal sealed class Listener(InProcessServerOptions options) : IDisposable
{
    private const int Backlog = 511;

    private Socket? _reserved;

    public Socket? Socket { get; private set; }

    /// <summary>The port that was taken first; zero on a Unix socket.</summary>
    public int Port { get; private set; } = options.Port;

    public void Open()
    {
        if (Socket is not null)
            return;
        var socket = _reserved ?? Bind();
        Port = (socket.LocalEndPoint as IPEndPoint)?.Port ?? 0;
        _reserved = Reserve();
        socket.Listen(Backlog);
        socket.Blocking = false;
        Socket = socket;
    }

    /// <summary>Refuses connections. A socket that is bound but does not listen keeps the port from others.</summary>
    public void Close()
    {
        if (Socket is null)
            return;
        Release(Socket);
        Socket = null;
        _reserved ??= Bind();
    }

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
        if (Socket is { } socket)
            Release(socket);
        if (_reserved is { } reserved)
            Release(reserved);
        Socket = _reserved = null;
    }

    // Bound before the other one listens, when the address may still be shared: from then on there is no moment at
    // which somebody else could take the port. Where a system does not share it, it is taken again when closed.
    private Socket? Reserve()
    {
        if (options.UnixSocketPath is not null)
            return null;
        try
        {
            return Bind();
        }
        catch (SocketException)
        {
            return null;
        }
    }

    private void Release(Socket socket)
    {
        socket.Dispose();
        if (options.UnixSocketPath is { } path)
            File.Delete(path);
    }

    private Socket Bind()
    {
        var endPoint = EndPoint();
        var protocol = options.UnixSocketPath is null ? ProtocolType.Tcp : ProtocolType.Unspecified;
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, protocol);
        try
        {
            socket.Bind(endPoint);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private EndPoint EndPoint() =>
        options.UnixSocketPath is { } path ? new UnixDomainSocketEndPoint(path) : new IPEndPoint(options.Address, Port);
}
