using System.Net;
using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// The lane over UDP. The asker's socket is connected: the kernel drops what comes from anybody else, and reports
/// refusals. The answerer's is bound, and answers whoever sent the last datagram.
/// </summary>
internal sealed class UdpProbeLane : IProbeLane
{
    private const long OpenAgainAfterNs = 1_000_000_000;

    private UdpPort? _port;
    private string? _openProblem;
    private long _openAgainNs = long.MinValue;

    private UdpProbeLane(ProbeAddress address, UdpPort? port) => (Address, _port) = (address, port);

    /// <summary>Whom it asks, or where it listens; the port is then the one that it got.</summary>
    public ProbeAddress Address { get; }

    public string Name => Address.ToString();

    public string? Problem => _openProblem ?? _port?.LastError;

    public bool IsLost => false;

    /// <summary>An asker's; connected when it is opened.</summary>
    public static UdpProbeLane To(ProbeAddress address) => new(address, null);

    /// <summary>An answerer's; listens when this returns.</summary>
    public static UdpProbeLane Bind(ProbeAddress address)
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
            return new UdpProbeLane(address with { Port = port }, UdpPort.Over(socket, isConnected: false));
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public void Open()
    {
        var now = MonotonicClock.NowNs();
        if (_port is not null || now < _openAgainNs)
            return;
        _openAgainNs = now + OpenAgainAfterNs;
        try
        {
            _port = Connect();
            _openProblem = null;
        }
        catch (SocketException failure)
        {
            _openProblem = failure.Message;
        }
    }

    public bool TrySend(ReadOnlySpan<byte> datagram) => _port?.TrySend(datagram) ?? false;

    public int Receive(long untilNs, Span<byte> buffer, out long receivedNs)
    {
        if (_port is { } port)
            return port.Receive(untilNs, buffer, out receivedNs);
        receivedNs = 0;
        Pacer.WaitUntil(untilNs);
        return -1;
    }

    public void Dispose() => _port?.Dispose();

    private UdpPort Connect()
    {
        var problem = new SocketException((int)SocketError.HostNotFound);
        foreach (var host in Address.Resolve())
        {
            var socket = new Socket(host.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            try
            {
                socket.Connect(host, Address.Port);
                return UdpPort.Over(socket, isConnected: true);
            }
            catch (SocketException failure)
            {
                socket.Dispose();
                problem = failure;
            }
        }

        throw problem;
    }
}
