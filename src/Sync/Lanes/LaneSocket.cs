using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Sync.Lanes;

/// <summary>The socket of a lane, with or without TLS: neither sending nor receiving waits.</summary>
internal sealed class LaneSocket : IDisposable
{
    private const int MostEncrypted = 256 << 10;

    private readonly NonBlockingSocket _socket;
    private readonly TlsSession? _tls;
    private readonly ReadinessPoller _poller;
    private readonly ByteQueue _records = new();
    private readonly byte[] _received = GC.AllocateUninitializedArray<byte>(64 << 10);
    private bool _wantsToWrite;

    public LaneSocket(TakenConnection taken, ReadinessPoller poller)
    {
        (_socket, _tls, _poller) = (new NonBlockingSocket(taken.Socket), taken.Tls, poller);
        // What is not sent when it is closed, or the process ends, is not to arrive later, behind what is newer.
        taken.Socket.LingerState = new(enable: true, seconds: 0);
        poller.Add(taken.Socket, 0, Readiness.Readable);
    }

    /// <summary>Sends as much as goes now.</summary>
    /// <returns>How many bytes are on their way.</returns>
    /// <exception cref="RedisConnectionLostException">The connection is broken.</exception>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        var sent = _tls is null ? SendPlain(bytes) : SendEncrypted(_tls, bytes);
        Want(sent < bytes.Length || _records.Length > 0);
        return sent;
    }

    // Whether the kernel has all that was sent.
    public bool Flush()
    {
        if (_records.Length > 0)
            Send([]);
        return _records.Length == 0;
    }

    /// <summary>Receives what is there.</summary>
    /// <returns>How many bytes; zero where nothing is.</returns>
    /// <exception cref="RedisConnectionLostException">The connection has ended.</exception>
    public int Receive(Span<byte> buffer)
    {
        if (_tls is null)
            return ReceivePlain(buffer);
        while (true)
        {
            var count = _tls.Read(buffer);
            if (count > 0)
                return count;
            var records = ReceivePlain(_received);
            if (records == 0)
                return 0;
            _tls.Received(_received.AsSpan(0, records));
        }
    }

    public void Dispose()
    {
        _poller.Remove(_socket.Socket);
        _tls?.Dispose();
        _socket.Dispose();
    }

    private int SendEncrypted(TlsSession tls, ReadOnlySpan<byte> bytes)
    {
        if (_records.Length > 0)
            _records.Drop(SendPlain(_records.Bytes));
        if (_records.Length > 0)
            return 0;
        var part = bytes[..Math.Min(bytes.Length, MostEncrypted)];
        if (!part.IsEmpty)
            tls.Write(part);
        _records.Append(tls.ToSend);
        tls.Sent();
        _records.Drop(SendPlain(_records.Bytes));
        return part.Length;
    }

    private int SendPlain(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
            return 0;
        var sent = _socket.Send(bytes);
        return sent == NonBlockingSocket.Broken
            ? throw new RedisConnectionLostException($"the connection is lost: {Cause()}")
            : Math.Max(sent, 0);
    }

    private int ReceivePlain(Span<byte> buffer) => _socket.Receive(buffer) switch
    {
        0 => throw new RedisConnectionLostException("the server closed the connection"),
        NonBlockingSocket.WouldBlock => 0,
        NonBlockingSocket.Broken => throw new RedisConnectionLostException($"the connection is lost: {Cause()}"),
        var count => count,
    };

    private string Cause() => ReadinessPoller.IsPortable
        ? new System.Net.Sockets.SocketException(_socket.LastError).Message
        : System.Runtime.InteropServices.Marshal.GetPInvokeErrorMessage(_socket.LastError);

    private void Want(bool toWrite)
    {
        if (toWrite == _wantsToWrite)
            return;
        _wantsToWrite = toWrite;
        _poller.Change(_socket.Socket, 0, toWrite ? Readiness.Readable | Readiness.Writable : Readiness.Readable);
    }
}
