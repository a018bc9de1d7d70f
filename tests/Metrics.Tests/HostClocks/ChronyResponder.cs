using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Metrics.Tests.HostClocks;

/// <summary>A UDP port that answers a request for tracking as a test says.</summary>
internal sealed class ChronyResponder : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly Thread _thread;

    /// <param name="answer">From the request's bytes; null says nothing.</param>
    public ChronyResponder(Func<byte[], byte[]?> answer)
    {
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        Port = ((IPEndPoint)_socket.LocalEndPoint!).Port;
        _thread = new Thread(() => Serve(answer)) { IsBackground = true };
        _thread.Start();
    }

    public int Port { get; }

    /// <summary>From now on nobody listens there.</summary>
    public void Close()
    {
        // A blocked receive does not notice that its socket is disposed of, but an empty datagram wakes it.
        using var waker = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        waker.SendTo([], new IPEndPoint(IPAddress.Loopback, Port));
        _thread.Join();
        _socket.Dispose();
    }

    public void Dispose()
    {
        if (_thread.IsAlive)
            Close();
    }

    private void Serve(Func<byte[], byte[]?> answer)
    {
        var packet = new byte[1_024];
        EndPoint sender = new IPEndPoint(IPAddress.Any, 0);
        while (_socket.ReceiveFrom(packet, ref sender) is var length && length > 0)
        {
            if (answer(packet[..length]) is { } reply)
                _socket.SendTo(reply, sender);
        }
    }
}
