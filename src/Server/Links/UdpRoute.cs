using System.Net;
using System.Net.Sockets;
using RedisLatency.Redis;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

/// <summary>Takes datagrams in, and gives each of their senders a socket of its own towards the far end.</summary>
internal sealed class UdpRoute : LinkPath, IReadyHandler
{
    private const int MaxPeers = 1024;
    private const int LargestDatagram = 64 << 10;

    private readonly Socket _near;
    private readonly int _token;
    private readonly Dictionary<SocketAddress, UdpPeer> _peers = [];
    private readonly SocketAddress _sender;

    public UdpRoute(WanLink link, int index, LinkRoute route)
        : base(link, index, route)
    {
        _near = new Socket(route.Listen.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        _sender = new SocketAddress(route.Listen.AddressFamily);
        try
        {
            _near.Bind(route.Listen);
        }
        catch
        {
            _near.Dispose();
            throw;
        }

        _token = Sockets.Register(this);
    }

    public override int Port => ((IPEndPoint)_near.LocalEndPoint!).Port;

    public byte[] Buffer { get; } = new byte[LargestDatagram];

    public override void Begin() => Sockets.Watch(_near, _token, Readiness.None, Readiness.Readable);

    public override void Dispose()
    {
        foreach (var peer in _peers.Values)
            peer.Dispose();
        _near.Dispose();
    }

    public void Ready(Readiness readiness)
    {
        int count;
        try
        {
            count = _near.ReceiveFrom(Buffer, SocketFlags.None, _sender);
        }
        catch (SocketException)
        {
            // Taken away meanwhile (a wrong checksum), or the complaint of a peer that is gone.
            return;
        }

        PeerOf(_sender).Forward.Take(Buffer.AsSpan(0, count), TimestampSpan.NowNs());
    }

    public bool TrySendBack(ReadOnlySpan<byte> datagram, SocketAddress peer)
    {
        try
        {
            return _near.SendTo(datagram, SocketFlags.None, peer) == datagram.Length;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    public DatagramFlow CreateFlow(LinkDirection direction, int number, UdpPeer exit) =>
        new(this, Link, direction, number, exit);

    private UdpPeer PeerOf(SocketAddress address)
    {
        if (_peers.TryGetValue(address, out var known))
        {
            known.UsedNs = TimestampSpan.NowNs();
            return known;
        }

        if (_peers.Count >= MaxPeers)
            ForgetTheLongestSilent();
        var peer = new UdpPeer(this, Route.To, CopyOf(address), Link.NextConnection());
        _peers.Add(peer.Address, peer);
        return peer;
    }

    private void ForgetTheLongestSilent()
    {
        var oldest = _peers.Values.MinBy(peer => peer.UsedNs)!;
        _peers.Remove(oldest.Address);
        oldest.Dispose();
    }

    private static SocketAddress CopyOf(SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Buffer.Length) { Size = address.Size };
        address.Buffer.CopyTo(copy.Buffer);
        return copy;
    }
}

/// <summary>A sender of datagrams, with the socket on which its answers come back.</summary>
internal sealed class UdpPeer : IReadyHandler, IDisposable
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

    public long UsedNs { get; set; } = TimestampSpan.NowNs();

    public void Ready(Readiness readiness)
    {
        var count = _far.Receive(_route.Buffer);
        // Less than nothing: nobody listens at the far end (yet), which the kernel tells once per datagram.
        if (count >= 0)
            _back.Take(_route.Buffer.AsSpan(0, count), TimestampSpan.NowNs());
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
