using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Peers.Lanes;

/// <summary>Remembers who sent the last datagram and answers it. For one thread; allocates nothing for it.</summary>
internal abstract class UdpPort : IDisposable
{
    public string? LastError { get; protected set; }

    /// <summary>How often the other end's machine said that nobody listens there (ICMP).</summary>
    public long Refused { get; protected set; }

    /// <summary>Owns the socket, bound or connected; of a connected one, answers go to its one peer.</summary>
    public static UdpPort Over(Socket socket, bool isConnected) => TimedWait.IsNative
        ? new LinuxUdpPort(socket, isConnected)
        : new PortableUdpPort(socket, isConnected);

    /// <summary>Sends to the connected peer, or to whoever sent the last datagram.</summary>
    public abstract bool TrySend(ReadOnlySpan<byte> datagram);

    /// <summary>Waits for a datagram; -1 where none came. A longer one than the buffer fills it.</summary>
    public abstract int Receive(long untilNs, Span<byte> buffer, out long receivedNs);

    public abstract void Dispose();
}
