using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Peers.Lanes;

/// <summary>Its socket is connected: the kernel drops what comes from anybody else, and tells of refusals.</summary>
internal sealed class UdpAskerLane(ProbeAddress address) : IProbeLane
{
    private const long OpenAgainAfterNs = 1_000_000_000;

    private UdpPort? _port;
    private string? _openProblem;
    private long _openAgainNs = long.MinValue;

    public string Name { get; } = address.ToString();

    public string? Problem => _openProblem ?? _port?.LastError;

    public bool IsLost => false;

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
        TimedWait.Until(untilNs);
        return -1;
    }

    public void Dispose() => _port?.Dispose();

    private UdpPort Connect()
    {
        var problem = new SocketException((int)SocketError.HostNotFound);
        foreach (var host in address.Resolve())
        {
            var socket = new Socket(host.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            try
            {
                socket.Connect(host, address.Port);
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
