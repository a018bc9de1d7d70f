using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Server.Tests.Wire;

/// <summary>A client that allocates nothing per exchange.</summary>
internal sealed class BareClient : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
    {
        NoDelay = true,
        ReceiveTimeout = 10_000,
    };

    private readonly byte[] _buffer = new byte[4096];

    public BareClient(int port) => _socket.Connect(IPAddress.Loopback, port);

    public void Exchange(ReadOnlySpan<byte> request, int answerLength)
    {
        _socket.Send(request);
        for (var received = 0; received < answerLength;)
        {
            var count = _socket.Receive(_buffer.AsSpan());
            if (count == 0)
                throw new InvalidOperationException("The server closed the connection.");
            received += count;
        }
    }

    /// <summary>Reads what has arrived already.</summary>
    public void Drain()
    {
        while (_socket.Available > 0)
            _socket.Receive(_buffer.AsSpan());
    }

    public void Dispose() => _socket.Dispose();
}
