using System.Runtime.InteropServices;

namespace RedisLatency.Hosting.Processors;

/// <summary>How many files this process may have open: every assembly, socket and event loop is one.</summary>
internal static partial class OpenFiles
{
    /// <summary>What a process of ours has open before its first connection to a server, and some to spare.</summary>
    private const ulong Least = 256;

    private const int ResourceOnLinux = 7;
    private const int ResourceOnApple = 8;

    /// <summary>What stands in the way of beginning at all, or null.</summary>
    public static string? WhyTooFew()
    {
        if (OperatingSystem.IsWindows())
            return null;
        var resource = OperatingSystem.IsLinux() ? ResourceOnLinux : ResourceOnApple;
        return GetLimit(resource, out var limit) != 0 || limit.Soft >= Least
            ? null
            : "error: this process may have " + limit.Soft + " open files, and needs " + Least
                + " for itself: ulimit -n " + 4 * Least + " before it, or LimitNOFILE in its systemd unit";
    }

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }
}
