using System.ComponentModel;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static RedisLatency.Redis.EventLoops.LinuxCalls;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Waits by epoll_pwait2 (Linux 5.11, glibc 2.35; nanoseconds) or, where that is missing, by epoll_wait
/// (milliseconds, rounded up). An eventfd wakes it from other threads.
/// </summary>
internal sealed unsafe class EpollPoller : ReadinessPoller
{
    private const int Capacity = 256;
    private const int WakeToken = -1;

    private readonly byte[] _eventBuffer = GC.AllocateUninitializedArray<byte>(Capacity * EpollEventSize, pinned: true);

    private readonly byte* _events;
    private readonly SafeFileHandle _epoll;
    private readonly EventFile _wake = new();
    private bool _hasNanoseconds = true;

    public EpollPoller()
    {
        _events = (byte*)Marshal.UnsafeAddrOfPinnedArrayElement(_eventBuffer, 0);
        _epoll = new SafeFileHandle(Check(epoll_create1(CloseOnExec)), ownsHandle: true);
        Control(EpollAdd, _wake.Descriptor, WakeToken, Readiness.Readable);
        ProbeNanoseconds();
    }

    public override string Name => _hasNanoseconds ? "epoll_pwait2" : "epoll_wait";

    public override void Add(Socket socket, int token, Readiness interest)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(token);
        Control(EpollAdd, (int)socket.Handle, token, interest);
    }

    public override void Change(Socket socket, int token, Readiness interest) =>
        Control(EpollModify, (int)socket.Handle, token, interest);

    public override void Remove(Socket socket) => Control(EpollDelete, (int)socket.Handle, 0, Readiness.None);

    public override int Wait(Span<ReadyEvent> events, long timeoutNs)
    {
        // A signal cuts the wait short; the caller's loop works out anew how long is left, as after a wake-up.
        var count = WaitOnce(Math.Min(events.Length, Capacity), timeoutNs);
        var ready = 0;
        for (var index = 0; index < count; index++)
        {
            var entry = _events + (index * EpollEventSize);
            var token = (int)Unsafe.ReadUnaligned<long>(entry + EpollTokenOffset);
            if (token == WakeToken)
                _wake.Clear();
            else
                events[ready++] = new ReadyEvent(token, Found(Unsafe.ReadUnaligned<uint>(entry)));
        }

        return ready;
    }

    public override void Wake() => _wake.Set();

    public override void Dispose()
    {
        _epoll.Dispose();
        _wake.Dispose();
    }

    private int Epoll => (int)_epoll.DangerousGetHandle();

    private static Readiness Found(uint bits)
    {
        var found = Readiness.None;
        if ((bits & (EpollIn | EpollPeerClosed | EpollHangUp | EpollError)) != 0)
            found |= Readiness.Readable;
        if ((bits & EpollOut) != 0)
            found |= Readiness.Writable;
        if ((bits & (EpollError | EpollHangUp)) != 0)
            found |= Readiness.Failed;
        if ((bits & EpollPeerClosed) != 0)
            found |= Readiness.Closing;
        return found;
    }

    private static int Check(int result) =>
        result >= 0 ? result : throw new Win32Exception(Marshal.GetLastSystemError());

    private int WaitOnce(int capacity, long timeoutNs)
    {
        int count;
        if (_hasNanoseconds)
        {
            var timeout = new TimeSpec(timeoutNs);
            count = epoll_pwait2(Epoll, _events, capacity, timeoutNs < 0 ? null : &timeout, null);
        }
        else
        {
            var milliseconds = timeoutNs < 0 ? -1 : (int)Math.Min((timeoutNs + 999_999) / 1_000_000, int.MaxValue);
            count = epoll_wait(Epoll, _events, capacity, milliseconds);
        }

        if (count >= 0)
            return count;
        var error = Marshal.GetLastSystemError();
        return error == Interrupted ? 0 : throw new Win32Exception(error);
    }

    private void ProbeNanoseconds()
    {
        var timeout = default(TimeSpec);
        try
        {
            _hasNanoseconds = epoll_pwait2(Epoll, _events, 1, &timeout, null) >= 0
                || Marshal.GetLastSystemError() != NotImplemented;
        }
        catch (EntryPointNotFoundException)
        {
            _hasNanoseconds = false;
        }
    }

    private void Control(int operation, int descriptor, int token, Readiness interest)
    {
        var bits = 0u;
        if ((interest & Readiness.Readable) != 0)
            bits |= EpollIn | EpollPeerClosed;
        if ((interest & Readiness.Writable) != 0)
            bits |= EpollOut;
        if ((interest & Readiness.EdgeTriggered) != 0)
            bits |= EpollEdgeTriggered;
        var request = stackalloc byte[16];
        Unsafe.WriteUnaligned(request, bits);
        Unsafe.WriteUnaligned(request + EpollTokenOffset, (long)token);
        Check(epoll_ctl(Epoll, operation, descriptor, request));
    }
}
