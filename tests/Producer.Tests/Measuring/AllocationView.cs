using RedisLatency.Hosting.Live;

namespace RedisLatency.Producer.Tests.Measuring;

/// <summary>Notes, at the end of each interval, what the reporter's thread has allocated since the last.</summary>
internal sealed class AllocationView : ILiveView
{
    private long _before = -1;

    public long LeastPerInterval { get; private set; } = long.MaxValue;

    public void Show(in LiveSnapshot snapshot)
    {
        var now = GC.GetAllocatedBytesForCurrentThread();
        if (_before >= 0)
            LeastPerInterval = Math.Min(LeastPerInterval, now - _before);
        _before = now;
    }

    public void Dispose()
    {
    }
}
