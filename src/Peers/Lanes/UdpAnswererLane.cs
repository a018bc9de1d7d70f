using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Peers.Lanes;

/// <summary>The answerer's end over UDP: a bound socket that answers whoever sent the last datagram.</summary>
internal sealed class UdpAnswererLane : IProbeLane
{
    private readonly UdpPort _port;

    private UdpAnswererLane(ProbeAddress bound, UdpPort port) => (Address, _port) = (bound, port);

    /// <summary>Where it listens; the port is the one that it got.</summary>
    public ProbeAddress Address { get; }

    public string Name => Address.ToString();

    public string? Problem => _port.LastError;

    public bool IsLost => false;

    /// <exception cref="SocketException">The address is not this machine's, or the port is taken.</exception>
    public static UdpAnswererLane Bind(ProbeAddress address)
    {
        var host = address.Resolve()[0];
        var socket = new Socket(host.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            // Everybody means everybody: IPv4 too where the system maps it.
            if (host.Equals(IPAddress.IPv6Any))
                socket.DualMode = true;
            socket.Bind(new IPEndPoint(host, address.Port));
            var port = ((IPEndPoint)socket.LocalEndPoint!).Port;
            return new UdpAnswererLane(address with { Port = port }, UdpPort.Over(socket, isConnected: false));
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public void Open()
    {
    }

    public bool TrySend(ReadOnlySpan<byte> datagram) => _port.TrySend(datagram);

    public int Receive(long untilNs, Span<byte> buffer, out long receivedNs) =>
        _port.Receive(untilNs, buffer, out receivedNs);

    public void Dispose() => _port.Dispose();
}
