using System.Net.Security;
using System.Security.Authentication;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Connections;

/// <summary>TLS over another transport, on the caller's thread and with the other's system calls.</summary>
internal sealed class TlsTransport : Transport
{
    private readonly Transport _inner;
    private readonly TlsRecordStream _records;
    private readonly SslStream _stream;
    private readonly string _address;
    private bool _mayHoldMore;

    /// <summary>Owns the inner transport; the stream over its records has had its handshake.</summary>
    public TlsTransport(Transport inner, TlsRecordStream records, SslStream stream, string address)
    {
        _inner = inner;
        _records = records;
        _stream = stream;
        _address = address;
        // Replies cannot be decrypted in the middle of a send, but they can be taken out of the socket.
        inner.WhileSendBlocks = () => records.Fill(Transport.NoWait);
    }

    public override string Description =>
        $"{_stream.SslProtocol.ToString().ToLowerInvariant()} over {_inner.Description}";

    public override void Send(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _stream.Write(bytes);
        }
        catch (IOException problem)
        {
            throw Lost(problem);
        }
    }

    public override int Receive(Span<byte> buffer, long untilTimestamp)
    {
        while (!_mayHoldMore && !_records.HasWholeRecord)
        {
            if (!_records.Fill(untilTimestamp))
                return 0;
        }

        try
        {
            _records.Deadline = Transport.NoWait;
            var count = _stream.Read(buffer);
            _mayHoldMore = count == buffer.Length;
            return count > 0 ? count : throw TransportFault.Lost(_address, null);
        }
        catch (NothingToReadException)
        {
            _mayHoldMore = false;
            return 0;
        }
        catch (Exception problem) when (problem is IOException or AuthenticationException)
        {
            throw Lost(problem);
        }
    }

    internal override TakenConnection Take()
    {
        var memory = new MemoryTransport();
        var socket = _inner.Take().Socket;
        _records.Carrier = memory;
        return new TakenConnection(socket, new TlsSession(this, memory));
    }

    public override void Dispose()
    {
        _stream.Dispose();
        _inner.Dispose();
    }

    private RedisException Lost(Exception problem) =>
        Causes.Of(problem.InnerException).OfType<RedisException>().FirstOrDefault()
        ?? TransportFault.Lost(_address, (problem.InnerException ?? problem).Message, problem);
}

/// <summary>Records on their way between SslStream and an event loop that receives and sends them itself.</summary>
internal sealed class MemoryTransport : Transport
{
    public override string Description => "event loop";

    public ByteQueue Received { get; } = new();

    public ByteQueue Written { get; } = new();

    public override void Send(ReadOnlySpan<byte> bytes) => Written.Append(bytes);

    public override int Receive(Span<byte> buffer, long untilTimestamp)
    {
        var count = Math.Min(buffer.Length, Received.Length);
        Received.Bytes[..count].CopyTo(buffer);
        Received.Drop(count);
        return count;
    }

    public override void Dispose()
    {
    }
}
