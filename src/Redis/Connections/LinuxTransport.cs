using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static RedisLatency.Redis.EventLoops.LinuxCalls;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// A TCP or Unix socket driven by the kernel's own calls: one <c>send</c> per message, one blocking <c>recv</c> per
/// message, nothing of the runtime's event loop. A wait that ends within a <see cref="Transport.Slice"/> is a
/// <c>ppoll</c> in nanoseconds and a <c>recv</c>.
/// </summary>
internal sealed unsafe class LinuxTransport : Transport
{
    private const int SocketLevel = 1;
    private const int ReceiveTimeoutOption = 20;
    private const int SendFlags = DoNotWait | NoSignal;

    private static readonly long SliceTicks = TimestampSpan.FromDuration(Slice);

    private readonly Socket _socket;
    private readonly int _descriptor;
    private readonly string _address;
    private readonly bool _busyPoll;

    /// <summary>Owns the connected socket; a busy poll spins instead of waiting in the kernel.</summary>
    public LinuxTransport(Socket socket, string address, bool busyPoll)
    {
        _socket = socket;
        _descriptor = (int)socket.Handle;
        _address = address;
        _busyPoll = busyPoll;
        MakeBlocking(_descriptor);
        Span<byte> timeout = stackalloc byte[16];
        MemoryMarshal.Write(timeout, 0L);
        MemoryMarshal.Write(timeout[8..], (long)Slice.TotalMicroseconds);
        socket.SetRawSocketOption(SocketLevel, ReceiveTimeoutOption, timeout);
    }

    public override string Description =>
        $"{(_socket.AddressFamily == AddressFamily.Unix ? "unix" : "tcp")}, "
        + (_busyPoll ? "busy-polled recv" : "blocking recv");

    public override void Send(ReadOnlySpan<byte> bytes)
    {
        while (true)
        {
            nint sent;
            fixed (byte* start = bytes)
                sent = send(_descriptor, start, (nuint)bytes.Length, SendFlags);
            if (sent == bytes.Length)
                return;
            if (sent < 0)
            {
                var error = Marshal.GetLastSystemError();
                if (error == TryAgain)
                    WaitUntilItTakesMore();
                else if (error != Interrupted)
                    throw Lost(error);
                continue;
            }

            bytes = bytes[(int)sent..];
        }
    }

    public override int Receive(Span<byte> buffer, long untilTimestamp)
    {
        // Compared, not subtracted: who does not want to wait at all asks until long.MinValue.
        var now = Stopwatch.GetTimestamp();
        if (untilTimestamp <= now)
            return ReceiveOnce(buffer, DoNotWait);
        var remaining = untilTimestamp - now;
        if (_busyPoll)
            return Spin(buffer, Math.Min(remaining, SliceTicks));
        if (remaining > SliceTicks)
            return ReceiveOnce(buffer, 0);
        return Wait(PollIn, remaining) == 0 ? 0 : ReceiveOnce(buffer, DoNotWait);
    }

    internal override TakenConnection Take() => new(_socket, null);

    public override void Dispose() => _socket.Dispose();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ReceiveOnce(Span<byte> buffer, int flags)
    {
        nint count;
        fixed (byte* start = buffer)
            count = recv(_descriptor, start, (nuint)buffer.Length, flags);
        return count > 0 ? (int)count : NothingReceived(count);
    }

    private int NothingReceived(nint count)
    {
        var error = count < 0 ? Marshal.GetLastSystemError() : 0;
        return error is TryAgain or Interrupted ? 0 : throw Lost(error);
    }

    private int Spin(Span<byte> buffer, long ticks)
    {
        var end = Stopwatch.GetTimestamp() + ticks;
        while (true)
        {
            var count = ReceiveOnce(buffer, DoNotWait);
            if (count > 0 || Stopwatch.GetTimestamp() >= end)
                return count;
        }
    }

    private void WaitUntilItTakesMore()
    {
        var deadline = TimestampSpan.FromNow(SendTimeout);
        while (true)
        {
            var remaining = deadline - Stopwatch.GetTimestamp();
            if (remaining <= 0)
                throw new RedisTimeoutException($"{_address} took no data for {SendTimeout.TotalSeconds:0.#} s");
            var ready = Wait(WhileSendBlocks is null ? PollOut : (short)(PollOut | PollIn), remaining);
            if ((ready & ~PollIn) != 0)
                return;
            if (ready != 0)
                WhileSendBlocks?.Invoke();
        }
    }

    /// <summary>Waits for events; returns those that came, including errors; zero when time is over.</summary>
    private int Wait(short events, long ticks)
    {
        var end = Stopwatch.GetTimestamp() + ticks;
        while (true)
        {
            var timeout = new TimeSpec(TimestampSpan.ToNanoseconds(ticks));
            var descriptor = new PollDescriptor { Descriptor = _descriptor, Events = events };
            var count = ppoll(&descriptor, 1, &timeout, null);
            if (count >= 0)
                return count == 0 ? 0 : descriptor.Returned;
            var error = Marshal.GetLastSystemError();
            if (error != Interrupted)
                throw Lost(error);

            // The runtime suspends threads by a signal, and ppoll is never resumed after one.
            ticks = end - Stopwatch.GetTimestamp();
            if (ticks <= 0)
                return 0;
        }
    }

    private RedisConnectionLostException Lost(int error) => TransportFault.Lost(
        _address, error == 0 ? null : Marshal.GetPInvokeErrorMessage(error));
}
