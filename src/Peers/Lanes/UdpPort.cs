using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Peers.Lanes;

/// <summary>
/// A UDP socket that remembers who sent the last datagram and answers it. Used by one thread; allocates nothing for a
/// datagram.
/// </summary>
internal abstract class UdpPort : IDisposable
{
    /// <summary>Why the last call failed, in the system's words; null where nothing did.</summary>
    public string? LastError { get; protected set; }

    /// <summary>How often the other end's machine said that nobody listens there (ICMP).</summary>
    public long Refused { get; protected set; }

    /// <summary>A port over a socket that is bound or connected; the port owns it.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="isConnected">Whether it is connected, so that answers go to its one peer.</param>
    public static UdpPort Over(Socket socket, bool isConnected) => TimedWait.IsNative
        ? new LinuxUdpPort(socket, isConnected)
        : new PortableUdpPort(socket, isConnected);

    /// <summary>Sends to the connected peer, or to whoever sent the last datagram.</summary>
    public abstract bool TrySend(ReadOnlySpan<byte> datagram);

    /// <summary>Waits for a datagram; -1 where none came. A longer one than the buffer fills it.</summary>
    public abstract int Receive(long untilNs, Span<byte> buffer, out long receivedNs);

    /// <inheritdoc/>
    public abstract void Dispose();
}
