using System.Net.Sockets;
using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

internal sealed class TcpRelay
{
    private readonly TcpRoute _route;
    private readonly int _number;
    private readonly TcpEnd _near;
    private readonly TcpEnd _far;
    private readonly TcpFlow _forward;
    private readonly TcpFlow _back;

    public TcpRelay(TcpRoute route, int number, Socket near, Socket far)
    {
        _route = route;
        _number = number;
        _forward = route.CreateFlow(this, LinkDirection.Forward, number);
        _back = route.CreateFlow(this, LinkDirection.Back, number);
        _near = new TcpEnd(this, route.Sockets, near) { Incoming = _forward, Outgoing = _back };
        _far = new TcpEnd(this, route.Sockets, far) { Incoming = _back, Outgoing = _forward, IsConnecting = true };
        (_forward.From, _forward.To) = (_near, _far);
        (_back.From, _back.To) = (_far, _near);
    }

    public bool IsClosed { get; private set; }

    public void Start()
    {
        _near.Watch();
        _far.Watch();
    }

    public void Connected(TcpEnd far)
    {
        var error = (int)far.Socket.Socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        if (error != 0)
        {
            Close(isReset: true);
            return;
        }

        far.IsConnecting = false;
        far.Watch();
        _forward.Schedule();
    }

    public void Tell(LinkDirection direction, in ChunkQueue.Chunk chunk, long releasedNs, ChunkFate fate) =>
        _route.Tell(new RelayedChunk(
            _route.Index, _number, direction, chunk.Bytes, chunk.ArrivedNs, chunk.AskedNs, releasedNs, fate));

    /// <summary>The sender learns it as it would on a long line: one way later.</summary>
    public void LoseReceiver(TcpFlow flow)
    {
        flow.Stop();
        (flow == _forward ? _back : _forward).Break(TimestampSpan.NowNs());
    }

    /// <summary>A flow has come to its end; with the second one the connection is over.</summary>
    public void Finish(TcpFlow flow)
    {
        if (_forward.IsFinished && _back.IsFinished)
            Close(isReset: false);
        else
            flow.To.Finish();
    }

    public void Close(bool isReset)
    {
        if (IsClosed)
            return;
        IsClosed = true;
        _forward.Discard();
        _back.Discard();
        _near.Close(isReset);
        _far.Close(isReset);
        _route.Forget(this);
    }
}

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
