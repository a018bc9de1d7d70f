using System.ComponentModel;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Waits by epoll_pwait2 (Linux 5.11, glibc 2.35; nanoseconds) or, where that is missing, by epoll_wait
/// (milliseconds, rounded up). An eventfd wakes it from other threads.
/// </summary>
public sealed unsafe class EpollPoller : ReadinessPoller
{
    private const int Capacity = 256;
    private const int WakeToken = -1;

    private readonly byte* _events;
    private int _epoll;
    private int _wake;
    private bool _hasNanoseconds = true;

    /// <summary>Opens the epoll and its eventfd.</summary>
    /// <exception cref="Win32Exception">The kernel refused, for instance for lack of descriptors.</exception>
    public EpollPoller()
    {
        _epoll = Check(EpollInterop.epoll_create1(EpollInterop.CloseOnExec));
        _wake = Check(EpollInterop.eventfd(0, EpollInterop.CloseOnExec | EpollInterop.NonBlocking));
        _events = (byte*)NativeMemory.AlignedAlloc((nuint)(Capacity * EpollInterop.EventSize), 64);
        Control(EpollInterop.Add, _wake, WakeToken, Readiness.Readable);
        ProbeNanoseconds();
    }

    /// <summary>Frees what <see cref="ReadinessPoller.Dispose()"/> did not.</summary>
    ~EpollPoller() => Dispose(disposing: false);

    /// <inheritdoc/>
    public override string Name => _hasNanoseconds ? "epoll_pwait2" : "epoll_wait";

    /// <inheritdoc/>
    public override void Add(Socket socket, int token, Readiness interest)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(token);
        Control(EpollInterop.Add, (int)socket.Handle, token, interest);
    }

    /// <inheritdoc/>
    public override void Change(Socket socket, int token, Readiness interest) =>
        Control(EpollInterop.Modify, (int)socket.Handle, token, interest);

    /// <inheritdoc/>
    public override void Remove(Socket socket) =>
        Control(EpollInterop.Delete, (int)socket.Handle, 0, Readiness.None);

    /// <inheritdoc/>
    public override int Wait(Span<ReadyEvent> events, long timeoutNs)
    {
        // A signal cuts the wait short; the caller's loop works out anew how long is left, as after a wake-up.
        var count = WaitOnce(Math.Min(events.Length, Capacity), timeoutNs);
        var ready = 0;
        for (var index = 0; index < count; index++)
        {
            var entry = _events + (index * EpollInterop.EventSize);
            var token = (int)Unsafe.ReadUnaligned<long>(entry + EpollInterop.TokenOffset);
            if (token == WakeToken)
                ClearWake();
            else
                events[ready++] = new ReadyEvent(token, Found(Unsafe.ReadUnaligned<uint>(entry)));
        }

        return ready;
    }

    /// <inheritdoc/>
    public override void Wake()
    {
        var one = 1UL;
        _ = EpollInterop.write(_wake, &one, sizeof(ulong));
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (_epoll < 0)
            return;
        _ = EpollInterop.close(_epoll);
        _ = EpollInterop.close(_wake);
        NativeMemory.AlignedFree(_events);
        (_epoll, _wake) = (-1, -1);
    }

    private static Readiness Found(uint bits)
    {
        var found = Readiness.None;
        if ((bits & (EpollInterop.In | EpollInterop.PeerClosed | EpollInterop.HangUp | EpollInterop.Error)) != 0)
            found |= Readiness.Readable;
        if ((bits & EpollInterop.Out) != 0)
            found |= Readiness.Writable;
        if ((bits & (EpollInterop.Error | EpollInterop.HangUp)) != 0)
            found |= Readiness.Failed;
        if ((bits & EpollInterop.PeerClosed) != 0)
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
            var timeout = stackalloc long[2] { timeoutNs / 1_000_000_000, timeoutNs % 1_000_000_000 };
            count = EpollInterop.epoll_pwait2(_epoll, _events, capacity, timeoutNs < 0 ? null : timeout, null);
        }
        else
        {
            var milliseconds = timeoutNs < 0 ? -1 : (int)Math.Min((timeoutNs + 999_999) / 1_000_000, int.MaxValue);
            count = EpollInterop.epoll_wait(_epoll, _events, capacity, milliseconds);
        }

        if (count >= 0)
            return count;
        var error = Marshal.GetLastSystemError();
        return error == EpollInterop.Interrupted ? 0 : throw new Win32Exception(error);
    }

    private void ProbeNanoseconds()
    {
        var timeout = stackalloc long[2];
        try
        {
            _hasNanoseconds = EpollInterop.epoll_pwait2(_epoll, _events, 1, timeout, null) >= 0
                || Marshal.GetLastSystemError() != EpollInterop.NotImplemented;
        }
        catch (EntryPointNotFoundException)
        {
            _hasNanoseconds = false;
        }
    }

    private void ClearWake()
    {
        ulong count;
        _ = EpollInterop.read(_wake, &count, sizeof(ulong));
    }

    private void Control(int operation, int descriptor, int token, Readiness interest)
    {
        var bits = 0u;
        if ((interest & Readiness.Readable) != 0)
            bits |= EpollInterop.In | EpollInterop.PeerClosed;
        if ((interest & Readiness.Writable) != 0)
            bits |= EpollInterop.Out;
        if ((interest & Readiness.EdgeTriggered) != 0)
            bits |= EpollInterop.EdgeTriggered;
        var request = stackalloc byte[16];
        Unsafe.WriteUnaligned(request, bits);
        Unsafe.WriteUnaligned(request + EpollInterop.TokenOffset, (long)token);
        Check(EpollInterop.epoll_ctl(_epoll, operation, descriptor, request));
    }
}
