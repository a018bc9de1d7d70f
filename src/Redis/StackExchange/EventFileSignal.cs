using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using RedisLatency.Redis.Transports;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// A signal on Linux, whose waits count in nanoseconds: an eventfd(2) under ppoll(2). The runtime's own events
/// round to milliseconds, which is more than the pause between two messages.
/// </summary>
internal sealed unsafe partial class EventFileSignal : WakeSignal
{
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;
    private const long NanosecondsPerSecond = 1_000_000_000;

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
        var left = TimestampSpan.ToNanoseconds(Math.Max(0, untilTimestamp - Stopwatch.GetTimestamp()));
        var descriptor = new LinuxSocketCalls.PollDescriptor
        {
            Descriptor = (int)_file.DangerousGetHandle(),
            Events = LinuxSocketCalls.PollIn,
        };
        var timeout = new LinuxSocketCalls.TimeSpec
        {
            Seconds = left / NanosecondsPerSecond,
            Nanoseconds = left % NanosecondsPerSecond,
        };
        if (LinuxSocketCalls.Poll(&descriptor, 1, &timeout, null) > 0)
            _ = Read(_file, out _, sizeof(ulong));
    }

    public override void Dispose() => _file.Dispose();

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    private static partial int EventFile(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(SafeFileHandle file, in ulong value, nint size);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(SafeFileHandle file, out ulong value, nint size);
}
