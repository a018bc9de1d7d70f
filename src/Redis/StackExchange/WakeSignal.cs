using System.Diagnostics;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.StackExchange;

/// <summary>What one thread sleeps on until another has something for it. A set signal lets one wait through.</summary>
internal abstract class WakeSignal : IDisposable
{
    /// <summary>The finest that this system has; <c>REDISLATENCY_PORTABLE=1</c> forces the portable one.</summary>
    public static WakeSignal Create() =>
        Environment.Is64BitProcess && !ReadinessPoller.IsPortable ? new EventFileSignal() : new PortableSignal();

    /// <summary>Wakes the thread that waits, or the next that will; harmless after <see cref="Dispose"/>.</summary>
    public abstract void Set();

    /// <summary>Sleeps until the signal is set or the time has come; may return early.</summary>
    public abstract void Wait(long untilTimestamp);

    public abstract void Dispose();
}

/// <summary>
/// A signal on Linux, whose waits count in nanoseconds: an eventfd(2) under ppoll(2). The runtime's own events
/// round to milliseconds, which is more than the pause between two messages.
/// </summary>
internal sealed unsafe class EventFileSignal : WakeSignal
{
    private readonly EventFile _file = new();

    public override void Set() => _file.Set();

    public override void Wait(long untilTimestamp)
    {
        var timeout = new LinuxCalls.TimeSpec(
            TimestampSpan.ToNanoseconds(Math.Max(0, untilTimestamp - Stopwatch.GetTimestamp())));
        var descriptor = new LinuxCalls.PollDescriptor { Descriptor = _file.Descriptor, Events = LinuxCalls.PollIn };
        if (LinuxCalls.ppoll(&descriptor, 1, &timeout, null) > 0)
            _file.Clear();
    }

    public override void Dispose() => _file.Dispose();
}

internal sealed class PortableSignal : WakeSignal
{
    private readonly AutoResetEvent _event = new(initialState: false);

    public override void Set()
    {
        try
        {
            _event.Set();
        }
        catch (ObjectDisposedException)
        {
        }
    }

    public override void Wait(long untilTimestamp)
    {
        var left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), untilTimestamp);
        if (left >= TimeSpan.FromMilliseconds(1))
            _event.WaitOne((int)Math.Min(left.TotalMilliseconds, int.MaxValue));
        else if (!_event.WaitOne(0))
            // Less than the event can count: the caller looks again, and again, until the time has come.
            Thread.Yield();
    }

    public override void Dispose() => _event.Dispose();
}
