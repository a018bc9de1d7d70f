using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Machine;

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

    /// <summary>Time units of all cores together since boot; null where the host does not tell.</summary>
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
