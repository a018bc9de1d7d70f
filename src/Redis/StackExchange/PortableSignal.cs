using System.Diagnostics;

namespace RedisLatency.Redis.StackExchange;

/// <summary>A signal on any system, whose waits count in milliseconds.</summary>
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
