namespace RedisLatency.Metrics.Machine;

/// <summary>The control groups that this process is in, of version 2 or 1.</summary>
internal static class ControlGroups
{
    private const string MountPoint = "sys/fs/cgroup";

    /// <summary>
    /// Those that a controller limits it by, from its own group up to the root of the hierarchy. In a container the
    /// path may be the host's, of which only the root is mounted here: groups that do not exist are passed over.
    /// </summary>
    /// <param name="files">Where they are read.</param>
    /// <param name="controller">The controller's name in version 1.</param>
    /// <param name="file">A file that a group of the controller has.</param>
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
