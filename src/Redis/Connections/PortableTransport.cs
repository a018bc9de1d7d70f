using System.Diagnostics;
using System.Net.Sockets;

namespace RedisLatency.Redis.Connections;

/// <summary>A socket by what .NET has everywhere: a poll in microseconds, then a read that never blocks.</summary>
internal sealed class PortableTransport : Transport
{
    private static readonly long SliceTicks = TimestampSpan.FromDuration(Slice);

    private readonly Socket _socket;
    private readonly string _address;
    private readonly bool _busyPoll;

    /// <summary>Owns the connected socket; a busy poll spins instead of waiting in the kernel.</summary>
    public PortableTransport(Socket socket, string address, bool busyPoll)
    {
        _socket = socket;
        _address = address;
        _busyPoll = busyPoll;
        socket.Blocking = false;
    }

    public override string Description =>
        $"{(_socket.AddressFamily == AddressFamily.Unix ? "unix" : "tcp")}, portable socket"
        + (_busyPoll ? ", busy-polled" : string.Empty);

    public override void Send(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var sent = _socket.Send(bytes, SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock)
                WaitUntilItTakesMore();
            else if (error != SocketError.Success)
                throw Lost(error);
            bytes = bytes[sent..];
        }
    }

    public override int Receive(Span<byte> buffer, long untilTimestamp)
    {
        // Compared, not subtracted: who does not want to wait at all asks until long.MinValue.
        var now = Stopwatch.GetTimestamp();
        if (untilTimestamp <= now)
            return ReceiveOnce(buffer);
        var ticks = Math.Min(untilTimestamp - now, SliceTicks);
        if (_busyPoll)
            return Spin(buffer, ticks);
        return _socket.Poll(ToMicroseconds(ticks), SelectMode.SelectRead) ? ReceiveOnce(buffer) : 0;
    }

    internal override TakenConnection Take() => new(_socket, null);

    public override void Dispose() => _socket.Dispose();

    private static int ToMicroseconds(long ticks) => (int)((TimestampSpan.ToNanoseconds(ticks) + 999) / 1000);

    private int ReceiveOnce(Span<byte> buffer)
    {
        var count = _socket.Receive(buffer, SocketFlags.None, out var error);
        if (error is SocketError.WouldBlock or SocketError.Interrupted)
            return 0;
        if (error != SocketError.Success)
            throw Lost(error);
        return count > 0 ? count : throw TransportFault.Lost(_address, null);
    }

    private int Spin(Span<byte> buffer, long ticks)
    {
        var end = Stopwatch.GetTimestamp() + ticks;
        while (true)
        {
            var count = ReceiveOnce(buffer);
            if (count > 0 || Stopwatch.GetTimestamp() >= end)
                return count;
        }
    }

    private void WaitUntilItTakesMore()
    {
        // Short turns: one poll cannot wait for both directions.
        var turn = ToMicroseconds(SliceTicks / 100);
        var deadline = TimestampSpan.FromNow(SendTimeout);
        while (!_socket.Poll(turn, SelectMode.SelectWrite))
        {
            if (Stopwatch.GetTimestamp() >= deadline)
                throw new RedisTimeoutException($"{_address} took no data for {SendTimeout.TotalSeconds:0.#} s");
            if (WhileSendBlocks is not null && _socket.Poll(0, SelectMode.SelectRead))
                WhileSendBlocks();
        }
    }

    private RedisConnectionLostException Lost(SocketError error) =>
        TransportFault.Lost(_address, new SocketException((int)error).Message);
}
