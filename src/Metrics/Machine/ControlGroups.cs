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
