using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// A signal on Linux, whose waits count in nanoseconds: an eventfd(2) under ppoll(2). The runtime's own events
/// round to milliseconds, which is more than the pause between two messages.
/// </summary>
internal sealed partial class EventFileSignal : WakeSignal
{
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;
    private const short Readable = 1;

    private readonly SafeFileHandle _file;

    public EventFileSignal()
    {
        var descriptor = EventFile(0, CloseOnExec | NonBlocking);
        if (descriptor < 0)
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        _file = new SafeFileHandle(descriptor, ownsHandle: true);
    }

    public override void Set()
    {
        try
        {
            // Fails only where the counter is full, and then the signal is set anyway.
            _ = Write(_file, 1, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
        }
    }

    public override void Wait(long untilTimestamp)
    {
        var left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), untilTimestamp).Ticks;
        var interest = new Interest { Descriptor = (int)_file.DangerousGetHandle(), Events = Readable };
        left = Math.Max(left, 0);
        var timeout = new Duration
        {
            Seconds = left / TimeSpan.TicksPerSecond,
            Nanoseconds = left % TimeSpan.TicksPerSecond * TimeSpan.NanosecondsPerTick,
        };
        if (Poll(ref interest, 1, in timeout, 0) > 0)
            _ = Read(_file, out _, sizeof(ulong));
    }

    public override void Dispose() => _file.Dispose();

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    private static partial int EventFile(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(SafeFileHandle file, in ulong value, nint size);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(SafeFileHandle file, out ulong value, nint size);

    [LibraryImport("libc", EntryPoint = "ppoll")]
    private static partial int Poll(ref Interest interest, nuint count, in Duration timeout, nint signals);

    [StructLayout(LayoutKind.Sequential)]
    private struct Interest
    {
        public int Descriptor;
        public short Events;
        public short Occurred;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Duration
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
