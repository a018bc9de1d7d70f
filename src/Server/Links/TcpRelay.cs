using System.Net.Sockets;
using RedisLatency.Redis;

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
