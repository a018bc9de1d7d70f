using System.Net;
using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server.Delays;

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

    public UdpRoute(LinkLoop loop, int index, LinkRoute route)
        : base(loop, index, route)
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

    /// <summary>Where a datagram is read to before it is known whose it is.</summary>
    public byte[] Buffer { get; } = new byte[LargestDatagram];

    public override void Begin() => Sockets.Watch(_near, _token, Readiness.None, Readiness.Readable);

    public override void Cut()
    {
        // A cut drops what arrives and what is due, one way alone: each datagram asks for itself.
    }

    public override void Join()
    {
    }

    public override void End()
    {
    }

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

        PeerOf(_sender).Forward.Take(Buffer.AsSpan(0, count), LinkClock.NowNs());
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

    public DatagramFlow CreateFlow(LinkDirection direction, int number, IDatagramExit exit) =>
        new(this, Loop, direction, number, exit);

    private UdpPeer PeerOf(SocketAddress address)
    {
        if (_peers.TryGetValue(address, out var known))
        {
            known.UsedNs = LinkClock.NowNs();
            return known;
        }

        if (_peers.Count >= MaxPeers)
            ForgetTheLongestSilent();
        var peer = new UdpPeer(this, Route.To, CopyOf(address), Loop.NextConnection()) { UsedNs = LinkClock.NowNs() };
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
