using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// What one worker counts and records of each operation. It alone writes; the rows of the warm-up lie behind those that
/// count.
/// </summary>
internal sealed class WorkerCounts(int operations, bool isOpenLoop, IReadOnlyList<bool>? hasParts = null)
{
    private long _busySince;
    private long _processorSince;
    private long _busyNs;
    private long _elapsedNs;
    private long _allocatedBefore = -1;
    private long _processorBefore;

    public OperationCounts[] Operations { get; } = new OperationCounts[2 * operations];

    public ErrorCounts[] Errors { get; } = [.. Enumerable.Range(0, 2 * operations).Select(_ => new ErrorCounts())];

    /// <summary>From the actual send.</summary>
    public LatencyRecorder[] Service { get; } = Recorders(operations, _ => new LatencyRecorder());

    /// <summary>From the intended send, in an open loop.</summary>
    public LatencyRecorder[] Response => field ??= isOpenLoop
        ? Recorders(operations, index => new LatencyRecorder(Service[index]))
        : [];

    /// <summary>Of each of an operation's two commands, where it has parts; else null, and in the warm-up.</summary>
    public LatencyRecorder?[] FirstParts { get; } = PartRecorders(operations, hasParts);

    public LatencyRecorder?[] SecondParts { get; } = PartRecorders(operations, hasParts);

    public LatencyRecorder Lateness { get; } = new();

    /// <summary>How long after the end of the schedule operations completed; null in a closed loop.</summary>
    public LatencyHistogram? AfterEnd { get; } = isOpenLoop ? LatencyHistogram.ForLatency() : null;

    /// <summary>What is of no operation.</summary>
    public LoadCounts Load;

    /// <summary>The errors of servers that would not have a connection.</summary>
    public ErrorCounts Refusals { get; } = new();

    public long MeasuredFrom { get; set; }

    /// <summary>When nothing more was to be sent; the largest number before.</summary>
    public long MeasuringEnded { get; private set; } = long.MaxValue;

    /// <summary>When the last operation completed, or was given up where operations are counted.</summary>
    public long LastEnded { get; set; }

    // A closed loop's last replies belong to the phase; a schedule ends by itself, and late replies no longer do.
    public long MeasuredUntil => MeasuringEnded == long.MaxValue ? LastEnded
        : isOpenLoop ? MeasuringEnded
        : Math.Max(MeasuringEnded, LastEnded);

    public IReadOnlyList<TargetEnd> Ends { get; set; } = [];

    public long AllocatedBytes { get; private set; }

    public ProcessorUse Processor { get; private set; }

    public string? LastBreak { get; set; }

    public double BusyShare =>
        Volatile.Read(ref _elapsedNs) is > 0 and var elapsed ? (double)Volatile.Read(ref _busyNs) / elapsed : 0;

    /// <summary>In an open loop: nanoseconds in which it neither waited nor spun for what is due.</summary>
    public long IdleNs { get; set; }

    public void BeginBusy(long now)
    {
        _busySince = now;
        _processorSince = ThreadProcessorTime.NowNs();
    }

    public void Publish(long now)
    {
        if (MeasuringEnded != long.MaxValue)
            return;
        // What the warm-up allocates (buffers that grow, code that is compiled) is not an operation's.
        if (_allocatedBefore < 0 && now >= MeasuredFrom)
            BeginMeasuring();
        var elapsed = now - _busySince;
        var busy = isOpenLoop ? elapsed - IdleNs : ThreadProcessorTime.NowNs() - _processorSince;
        Volatile.Write(ref _busyNs, busy);
        Volatile.Write(ref _elapsedNs, elapsed);
    }

    /// <summary>The end may be noticed later than planned. Only the first call counts.</summary>
    public void EndMeasuring(long now, long planned = long.MaxValue)
    {
        if (MeasuringEnded != long.MaxValue)
            return;
        Publish(now);
        AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
        Processor = ThreadProcessorTime.IsKnown
            ? new ProcessorUse(ThreadProcessorTime.NowNs() - _processorBefore, false)
            : new ProcessorUse(ProcessNs - _processorBefore, true);
        MeasuringEnded = Math.Min(now, planned);
    }

    private void BeginMeasuring()
    {
        _processorBefore = ThreadProcessorTime.IsKnown ? ThreadProcessorTime.NowNs() : ProcessNs;
        _allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
    }

    private static long ProcessNs => Environment.CpuUsage.TotalTime.InNanoseconds;

    private static LatencyRecorder?[] PartRecorders(int operations, IReadOnlyList<bool>? hasParts)
    {
        var recorders = new LatencyRecorder?[2 * operations];
        for (var operation = 0; operation < hasParts?.Count; operation++)
            recorders[operation] = hasParts[operation] ? new LatencyRecorder() : null;
        return recorders;
    }

    private static LatencyRecorder[] Recorders(int operations, Func<int, LatencyRecorder> recorder)
    {
        var warmUp = recorder(operations);
        return [.. Enumerable.Range(0, operations).Select(recorder), .. Enumerable.Repeat(warmUp, operations)];
    }
}
