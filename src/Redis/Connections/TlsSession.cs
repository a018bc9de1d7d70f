namespace RedisLatency.Redis.Connections;

/// <summary>
/// The TLS of a connection whose socket an event loop drives: the loop hands in what it has received and sends what it
/// is handed. SslStream allocates; who measures with it says so.
/// </summary>
public sealed class TlsSession : IDisposable
{
    private readonly TlsTransport _transport;
    private readonly MemoryTransport _memory;

    internal TlsSession(TlsTransport transport, MemoryTransport memory)
    {
        _transport = transport;
        _memory = memory;
    }

    /// <summary>What must be sent on the socket; the caller forgets what it has sent by <see cref="Sent"/>.</summary>
    public ReadOnlySpan<byte> ToSend => _memory.Written.Bytes;

    /// <summary>Takes in what came from the socket.</summary>
    public void Received(ReadOnlySpan<byte> records) => _memory.Received.Append(records);

    /// <summary>Decrypts what is whole.</summary>
    /// <returns>How many bytes; zero where more must be received first.</returns>
    /// <exception cref="RedisConnectionLostException">
    /// The other side has ended the session, or it is broken.
    /// </exception>
    public int Read(Span<byte> buffer) => _transport.Receive(buffer, Transport.NoWait);

    /// <summary>Encrypts, to be sent.</summary>
    public void Write(ReadOnlySpan<byte> bytes) => _transport.Send(bytes);

    /// <summary>Everything of <see cref="ToSend"/> is on its way.</summary>
    public void Sent() => _memory.Written.Drop(_memory.Written.Length);

    /// <inheritdoc/>
    public void Dispose() => _transport.Dispose();
}
