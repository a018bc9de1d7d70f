using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

internal sealed class TcpEnd : IReadyHandler
{
    private readonly TcpRelay _relay;
    private readonly SocketTable _table;
    private readonly int _token;
    private Readiness _watched;
    private bool _isClosed;

    public TcpEnd(TcpRelay relay, SocketTable table, Socket socket)
    {
        _relay = relay;
        _table = table;
        Socket = new NonBlockingSocket(socket);
        _token = table.Register(this);
    }

    public NonBlockingSocket Socket { get; }

    public TcpFlow Incoming { get; set; } = null!;

    public TcpFlow Outgoing { get; set; } = null!;

    public bool IsConnecting { get; set; }

    public void Ready(Readiness readiness)
    {
        if (IsConnecting)
        {
            _relay.Connected(this);
            return;
        }

        if ((readiness & Readiness.Writable) != 0)
            Outgoing.Unblock();
        if ((readiness & Readiness.Readable) != 0 && !_isClosed)
            Incoming.Read();
    }

    public void Watch()
    {
        if (_isClosed)
            return;
        var wanted = Readiness.None;
        if (Incoming.WantsToRead)
            wanted |= Readiness.Readable;
        if (IsConnecting || Outgoing.IsBlocked)
            wanted |= Readiness.Writable;
        _table.Watch(Socket.Socket, _token, _watched, wanted);
        _watched = wanted;
    }

    public void Finish()
    {
        try
        {
            Socket.Socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The peer is gone already; reading from it will say so.
        }
    }

    public void Close(bool isReset)
    {
        if (_isClosed)
            return;
        _isClosed = true;
        _table.Watch(Socket.Socket, _token, _watched, Readiness.None);
        _table.Release(_token);
        if (isReset)
            Reset(Socket.Socket);
        Socket.Dispose();
    }

    /// <summary>Has the closing of a socket tell its peer that the connection broke.</summary>
    public static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (SocketException)
        {
            // The peer has reset it before.
        }
    }
}
