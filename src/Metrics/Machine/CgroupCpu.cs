namespace RedisLatency.Metrics.Machine;

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
