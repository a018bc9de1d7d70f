using System.Net;
using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server.Delays;

namespace RedisLatency.Server.Links;

/// <summary>A sender of datagrams, with the socket on which its answers come back.</summary>
internal sealed class UdpPeer : IReadyHandler, IDatagramExit, IDisposable
{
    private readonly UdpRoute _route;
    private readonly NonBlockingSocket _far;
    private readonly DatagramFlow _back;
    private readonly int _token;
    private bool _isClosed;

    public UdpPeer(UdpRoute route, IPEndPoint to, SocketAddress address, int number)
    {
        _route = route;
        Address = address;
        var socket = new Socket(to.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(to);
        _far = new NonBlockingSocket(socket);
        Forward = route.CreateFlow(LinkDirection.Forward, number, this);
        _back = route.CreateFlow(LinkDirection.Back, number, this);
        _token = route.Sockets.Register(this);
        route.Sockets.Watch(socket, _token, Readiness.None, Readiness.Readable);
    }

    public SocketAddress Address { get; }

    public DatagramFlow Forward { get; }

    public long UsedNs { get; set; }

    public void Ready(Readiness readiness)
    {
        var count = _far.Receive(_route.Buffer);
        // Less than nothing: nobody listens at the far end (yet), which the kernel tells once per datagram.
        if (count >= 0)
            _back.Take(_route.Buffer.AsSpan(0, count), LinkClock.NowNs());
    }

    public bool TrySend(LinkDirection direction, ReadOnlySpan<byte> datagram) =>
        !_isClosed && (direction == LinkDirection.Back
            ? _route.TrySendBack(datagram, Address)
            : TrySendForward(datagram));

    public void Dispose()
    {
        if (_isClosed)
            return;
        _isClosed = true;
        _route.Sockets.Watch(_far.Socket, _token, Readiness.Readable, Readiness.None);
        _route.Sockets.Release(_token);
        _far.Dispose();
    }

    // The complaint that nobody listened to the one before is told by the next call, which then sent nothing.
    private bool TrySendForward(ReadOnlySpan<byte> datagram)
    {
        var count = _far.Send(datagram);
        if (count == NonBlockingSocket.Broken)
            count = _far.Send(datagram);
        return count == datagram.Length;
    }
}
