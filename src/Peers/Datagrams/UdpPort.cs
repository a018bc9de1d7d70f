using System.Net;
using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// A UDP socket that remembers who sent the last datagram, to answer it. For one thread; allocates nothing for it.
/// </summary>
internal abstract class UdpPort : IDisposable
{
    public string? LastError { get; protected set; }

    /// <summary>How often the other end's machine said that nobody listens there (ICMP).</summary>
    public long Refused { get; protected set; }

    /// <summary>Owns the socket, bound or connected; of a connected one, answers go to its one peer.</summary>
    public static UdpPort Over(Socket socket, bool isConnected) => Pacer.IsNative
        ? new LinuxUdpPort(socket, isConnected)
        : new PortableUdpPort(socket, isConnected);

    /// <summary>Sends to the connected peer, or to whoever sent the last datagram.</summary>
    public abstract bool TrySend(ReadOnlySpan<byte> datagram);

    /// <summary>Waits for a datagram; -1 where none came. A longer one than the buffer fills it.</summary>
    public abstract int Receive(long untilNs, Span<byte> buffer, out long receivedNs);

    public abstract void Dispose();
}

/// <summary>A UDP socket by the framework's own calls, with waits as fine as its poll has them.</summary>
internal sealed class PortableUdpPort : UdpPort
{
    // A poll of a millisecond may return at once where the system counts in milliseconds and rounds down.
    private const long ShortestWaitNs = 1_000_000;

    private readonly Socket _socket;
    private readonly bool _isConnected;
    private readonly SocketAddress _address;

    public PortableUdpPort(Socket socket, bool isConnected)
    {
        (_socket, _isConnected) = (socket, isConnected);
        _address = new SocketAddress(socket.AddressFamily);
        socket.Blocking = false;
    }

    public override bool TrySend(ReadOnlySpan<byte> datagram)
    {
        try
        {
            _ = _isConnected
                ? _socket.Send(datagram, SocketFlags.None)
                : _socket.SendTo(datagram, SocketFlags.None, _address);
            return true;
        }
        catch (SocketException failure)
        {
            Note(failure);
            return false;
        }
    }

    public override int Receive(long untilNs, Span<byte> buffer, out long receivedNs)
    {
        receivedNs = 0;
        while (true)
        {
            if (_socket.Available > 0 || _socket.Poll(0, SelectMode.SelectRead))
                return ReceiveNow(buffer, out receivedNs);
            var remaining = untilNs - MonotonicClock.NowNs();
            if (remaining <= 0)
                return -1;
            if (remaining >= ShortestWaitNs)
                _socket.Poll((int)Math.Min(remaining / 1_000, int.MaxValue), SelectMode.SelectRead);
        }
    }

    public override void Dispose() => _socket.Dispose();

    private int ReceiveNow(Span<byte> buffer, out long receivedNs)
    {
        try
        {
            var count = _isConnected
                ? _socket.Receive(buffer, SocketFlags.None)
                : _socket.ReceiveFrom(buffer, SocketFlags.None, _address);
            receivedNs = MonotonicClock.NowNs();
            return count;
        }
        catch (SocketException tooLong) when (tooLong.SocketErrorCode == SocketError.MessageSize)
        {
            receivedNs = MonotonicClock.NowNs();
            return buffer.Length;
        }
        catch (SocketException failure)
        {
            receivedNs = 0;
            Note(failure);
            return -1;
        }
    }

    // Windows reports a refusal of an earlier send as a reset of the receive.
    private void Note(SocketException failure)
    {
        if (failure.SocketErrorCode == SocketError.WouldBlock)
            return;
        if (failure.SocketErrorCode is SocketError.ConnectionRefused or SocketError.ConnectionReset)
            Refused++;
        LastError = failure.Message;
    }
}
