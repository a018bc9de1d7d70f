namespace RedisLatency.Metrics.Machine;

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
