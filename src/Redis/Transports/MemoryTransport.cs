using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Transports;

/// <summary>Records on their way between SslStream and an event loop that receives and sends them itself.</summary>
internal sealed class MemoryTransport : Transport
{
    public override string Description => "event loop";

    /// <summary>What the loop has received, and SslStream has not read.</summary>
    public ByteQueue Received { get; } = new();

    /// <summary>What SslStream has written, and the loop has not sent.</summary>
    public ByteQueue Written { get; } = new();

    public override void Send(ReadOnlySpan<byte> bytes) => Written.Append(bytes);

    public override int Receive(Span<byte> buffer, long untilTimestamp)
    {
        var count = Math.Min(buffer.Length, Received.Length);
        Received.Bytes[..count].CopyTo(buffer);
        Received.Drop(count);
        return count;
    }

    protected override void Dispose(bool disposing)
    {
    }
}
