namespace RedisLatency.Metrics.Machine;

internal static class ControlGroups
{
    private const string MountPoint = "sys/fs/cgroup";

    /// <summary>
    /// Those that a controller limits it by, from its own group up to the root of the hierarchy. In a container the
    /// path may be the host's, of which only the root is mounted here: groups that do not exist are passed over.
    /// </summary>
    public static IEnumerable<string> Folders(HostFiles files, string controller, string file)
    {
        foreach (var line in files.ReadText("proc/self/cgroup")?.Split('\n') ?? [])
        {
            if (line.Split(':', 3) is not [_, var controllers, var path]
                || path.Contains("..", StringComparison.Ordinal))
            {
                continue;
            }

            var mounts = controllers.Length == 0
                ? [MountPoint, $"{MountPoint}/unified"]
                : controllers.Split(',').Contains(controller)
                    ? new[] { $"{MountPoint}/{controllers}", $"{MountPoint}/{controller}" }
                    : [];
            foreach (var mount in mounts)
            {
                for (var rest = path.TrimEnd('/'); ; rest = rest[..rest.LastIndexOf('/')])
                {
                    if (files.Exists($"{mount}{rest}/{file}"))
                        yield return mount + rest;
                    if (rest.Length == 0)
                        break;
                }
            }
        }
    }
}

/// <summary>The control group (version 2 or 1) that limits this process's CPU time most, its own or above.</summary>
internal sealed class CgroupCpu(HostFiles files, string? folder, double? quotaCores)
{
    public double? QuotaCores { get; } = quotaCores;

    public static CgroupCpu Find(HostFiles files)
    {
        CgroupCpu? tightest = null;
        foreach (var folder in ControlGroups.Folders(files, "cpu", "cpu.stat"))
        {
            var group = new CgroupCpu(files, folder, ReadQuota(files, folder));
            if (tightest is null || group.QuotaCores < (tightest.QuotaCores ?? double.PositiveInfinity))
                tightest = group;
        }

        return tightest ?? new CgroupCpu(files, null, null);
    }

    /// <summary>How often and how long the group was held back since it was made; null where not told.</summary>
    public (long Periods, long Ns)? ReadThrottling()
    {
        if (folder is null)
            return null;
        var stat = $"{folder}/cpu.stat";
        var periods = HostFiles.ParseNumber(files.ReadField(stat, "nr_throttled"));
        var ns = HostFiles.ParseNumber(files.ReadField(stat, "throttled_usec")) * 1_000
            ?? HostFiles.ParseNumber(files.ReadField(stat, "throttled_time"));
        return periods is { } count && ns is { } duration ? (count, duration) : null;
    }

    private static double? ReadQuota(HostFiles files, string folder)
    {
        if (files.ReadText($"{folder}/cpu.max")?.Split(' ') is [var quota, var period])
            return Ratio(HostFiles.ParseNumber(quota), HostFiles.ParseNumber(period));
        return Ratio(files.ReadNumber($"{folder}/cpu.cfs_quota_us"), files.ReadNumber($"{folder}/cpu.cfs_period_us"));
    }

    private static double? Ratio(long? quota, long? period) => quota > 0 && period > 0 ? (double)quota / period : null;
}

/// <summary>How many threads the control groups of this process let it have.</summary>
public static class ThreadLimit
{
    /// <summary>
    /// Those that it has and those that it may begin, other processes of its groups being as they are; null where no
    /// group limits them.
    /// </summary>
    public static long? Read() => Read(new HostFiles());

    internal static long? Read(HostFiles files) => ControlGroups.Folders(files, "pids", "pids.max")
        .Select(folder => files.ReadNumber($"{folder}/pids.max") - files.ReadNumber($"{folder}/pids.current"))
        .Min() + files.FolderNames("proc/self/task").Count;
}
