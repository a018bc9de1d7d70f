using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Machine;

/// <summary>What this process, its host and its control group did with the CPU between two samples.</summary>
public sealed record CpuUsage
{
    /// <summary>Time between the samples, in nanoseconds.</summary>
    public required long ElapsedNs { get; init; }

    /// <summary>CPU time of this process in it, all threads, user and kernel, in nanoseconds.</summary>
    public required long ProcessNs { get; init; }

    /// <summary>Share of all cores' time that was not idle, 0 to 1; null where the host does not tell.</summary>
    public double? HostBusyShare { get; init; }

    /// <summary>
    /// Share of all cores' time that the hypervisor gave to others, 0 to 1: pauses that no program here can see.
    /// Null where the host does not tell.
    /// </summary>
    public double? HostStealShare { get; init; }

    /// <summary>Scheduling periods in which the control group was held back; null where there is none.</summary>
    public long? ThrottledPeriods { get; init; }

    /// <summary>How long it was held back, in nanoseconds; null where there is none.</summary>
    public long? ThrottledNs { get; init; }

    /// <summary>Cores this process kept busy on average; zero where no time passed.</summary>
    public double ProcessCores => ElapsedNs > 0 ? (double)ProcessNs / ElapsedNs : 0;

    /// <summary>What happened from one sample to a later one.</summary>
    public static CpuUsage Between(CpuSample start, CpuSample end)
    {
        var hostTotal = end.HostTotal - start.HostTotal;
        return new CpuUsage
        {
            ElapsedNs = end.AtNs - start.AtNs,
            ProcessNs = end.ProcessNs - start.ProcessNs,
            HostBusyShare = 1 - Share(end.HostIdle - start.HostIdle, hostTotal),
            HostStealShare = Share(end.HostSteal - start.HostSteal, hostTotal),
            ThrottledPeriods = end.Throttling?.Periods - start.Throttling?.Periods,
            ThrottledNs = end.Throttling?.Ns - start.Throttling?.Ns,
        };
    }

    // Idle time steps back on some kernels by a unit or two.
    private static double? Share(long part, long? total) =>
        total > 0 ? Math.Clamp((double)part / total.Value, 0, 1) : null;
}

/// <summary>
/// The CPU time used until now, by this process and by its host: two of them make a <see cref="CpuUsage"/>.
/// </summary>
public sealed class CpuSample
{
    private const int StealColumn = 7;
    private const int IdleColumn = 3;
    private const int IoWaitColumn = 4;

    private CpuSample()
    {
    }

    internal long AtNs { get; private init; }
    internal long ProcessNs { get; private init; }
    internal long? HostTotal { get; private init; }
    internal long HostIdle { get; private init; }
    internal long HostSteal { get; private init; }
    internal (long Periods, long Ns)? Throttling { get; private init; }

    /// <summary>Takes one. It reads files and allocates: for the edges of a phase, not for every interval.</summary>
    public static CpuSample Take() => Take(HostFiles.HostRoot);

    internal static CpuSample Take(string root)
    {
        var files = new HostFiles(root);
        var host = ReadHost(files);
        return new CpuSample
        {
            AtNs = MonotonicClock.NowNs(),
            ProcessNs = Environment.CpuUsage.TotalTime.InNanoseconds,
            HostTotal = host?.Sum(),
            HostIdle = host is null ? 0 : host[IdleColumn] + host[IoWaitColumn],
            HostSteal = host?[StealColumn] ?? 0,
            Throttling = CgroupCpu.Find(files).ReadThrottling(),
        };
    }

    // user nice system idle iowait irq softirq steal; the guest columns after them are contained in user.
    private static long[]? ReadHost(HostFiles files)
    {
        var columns = files.ReadField("proc/stat", "cpu")?.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (columns is null || columns.Length <= StealColumn)
            return null;
        var host = new long[StealColumn + 1];
        for (var column = 0; column < host.Length; column++)
        {
            if (!long.TryParse(columns[column], NumberStyles.None, CultureInfo.InvariantCulture, out host[column]))
                return null;
        }

        return host;
    }
}
