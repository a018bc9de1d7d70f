using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Workloads.Lanes;

/// <summary>What the process uses from first start to first end of a worker: client libraries hide threads.</summary>
internal sealed class ProcessUse
{
    private readonly Lock _lock = new();
    private long _since;
    private long _processorBefore;
    private long _allocatedBefore;
    private bool _hasEnded;

    public long ProcessorNs { get; private set; }

    public long AllocatedBytes { get; private set; }

    public double BusyShare { get; private set; }

    private static long ProcessorNow => Environment.CpuUsage.TotalTime.InNanoseconds;

    public void Begin(long now)
    {
        lock (_lock)
        {
            if (_since != 0)
                return;
            _since = now;
            _allocatedBefore = GC.GetTotalAllocatedBytes(precise: true);
            _processorBefore = ProcessorNow;
        }
    }

    /// <summary>Only the first call counts, and none before the beginning.</summary>
    public void End(long now)
    {
        lock (_lock)
        {
            if (_since == 0 || _hasEnded)
                return;
            _hasEnded = true;
            ProcessorNs = ProcessorNow - _processorBefore;
            AllocatedBytes = GC.GetTotalAllocatedBytes(precise: true) - _allocatedBefore;
            BusyShare = (double)ProcessorNs / Math.Max(1, now - _since) / Environment.ProcessorCount;
        }
    }
}
