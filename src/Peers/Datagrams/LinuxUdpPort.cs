using System.Net.Sockets;
using System.Runtime.InteropServices;
using RedisLatency.Metrics.Clocks;
using static RedisLatency.Peers.Datagrams.UdpSocketCalls;

namespace RedisLatency.Peers.Datagrams;

/// <summary>A UDP socket driven by the kernel's own calls, with waits in nanoseconds.</summary>
internal sealed unsafe class LinuxUdpPort(Socket socket, bool isConnected) : UdpPort
{
    // struct sockaddr_storage.
    private const int MaxAddressLength = 128;

    private readonly int _descriptor = (int)socket.Handle;
    private readonly byte[] _address = GC.AllocateArray<byte>(MaxAddressLength, pinned: true);
    private uint _addressLength;
    private int _lastError;

    public override bool TrySend(ReadOnlySpan<byte> datagram)
    {
        while (true)
        {
            nint sent;
            fixed (byte* start = datagram)
            fixed (byte* address = _address)
            {
                sent = SendTo(
                    _descriptor, start, (nuint)datagram.Length, DontWait | NoSignal, isConnected ? null : address,
                    isConnected ? 0 : _addressLength);
            }

            if (sent >= 0)
                return true;
            var error = Marshal.GetLastSystemError();
            if (error == Interrupted)
                continue;
            Note(error);
            return false;
        }
    }

    public override int Receive(long untilNs, Span<byte> buffer, out long receivedNs)
    {
        while (true)
        {
            var count = ReceiveNow(buffer, out receivedNs);
            if (count >= 0)
                return count;
            var remaining = untilNs - MonotonicClock.NowNs();
            if (remaining <= 0 || !Wait(remaining))
                return -1;
        }
    }

    public override void Dispose() => socket.Dispose();

    private int ReceiveNow(Span<byte> buffer, out long receivedNs)
    {
        nint count;
        uint length = MaxAddressLength;
        fixed (byte* start = buffer)
        fixed (byte* address = _address)
            count = ReceiveFrom(_descriptor, start, (nuint)buffer.Length, DontWait, address, &length);
        receivedNs = MonotonicClock.NowNs();
        if (count >= 0)
        {
            _addressLength = length;
            return (int)count;
        }

        var error = Marshal.GetLastSystemError();
        if (error is not (Again or Interrupted))
            Note(error);
        return -1;
    }

    private bool Wait(long ns)
    {
        var timeout = new TimeSpec { Seconds = ns / 1_000_000_000, Nanoseconds = ns % 1_000_000_000 };
        var descriptor = new PollDescriptor { Descriptor = _descriptor, Events = PollIn };
        return Poll(&descriptor, 1, &timeout, null) > 0;
    }

    private void Note(int error)
    {
        if (error == ConnectionRefused)
            Refused++;
        // A message is made only where another error comes than last time.
        if (error == _lastError)
            return;
        _lastError = error;
        LastError = Marshal.GetPInvokeErrorMessage(error);
    }
}
