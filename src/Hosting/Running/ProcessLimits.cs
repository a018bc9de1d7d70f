using System.Runtime.InteropServices;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Hosting.Running;

/// <summary>Limits of this process (`ulimit`) below which it would end on its way, by a stack trace.</summary>
internal static partial class ProcessLimits
{
    /// <summary>Open before a first connection, and spare: every assembly, socket and event loop is a file.</summary>
    private const ulong LeastFiles = 256;

    // With 3.5 GB the runtime aborted in 2 of 8 starts, with 4 GB in none: it reserves far more than it uses.
    private const ulong LeastAddressSpace = 6UL << 30;

    // With 8 the runtime begins, with 18 a run of the defaults still got no thread on its way, with 20 it got all.
    private const ulong LeastThreads = 32;

    private const int ThreadsOnLinux = 6;
    private const int FilesOnLinux = 7;
    private const int FilesOnApple = 8;
    private const int AddressSpaceOnLinux = 9;

    public static string? WhyTooLow()
    {
        if (OperatingSystem.IsWindows())
            return null;
        var files = Soft(OperatingSystem.IsLinux() ? FilesOnLinux : FilesOnApple);
        if (files < LeastFiles)
        {
            return "error: this process may have " + files + " open files, and needs " + LeastFiles
                + " for itself: ulimit -n " + 4 * LeastFiles + " before it, or LimitNOFILE in its systemd unit";
        }

        if (!OperatingSystem.IsLinux())
            return null;
        // Only Linux holds a process to it.
        if (Soft(AddressSpaceOnLinux) is var space and < LeastAddressSpace)
        {
            return "error: the address space of this process is limited to " + (space >> 20)
                + " MiB, and .NET reserves "
                + (LeastAddressSpace >> 20) + " MiB of it: ulimit -v unlimited before it, or LimitAS in its systemd "
                + "unit; memory itself is limited by the container or MemoryMax";
        }

        return Threads() is var threads and < LeastThreads
            ? "error: this process may have " + threads + " threads, and needs " + LeastThreads + " for itself: raise "
                + "the limit of its container's or unit's processes (pids.max, TasksMax), or ulimit -u before it"
            : null;
    }

    // What a user may have, root may exceed.
    private static ulong Threads() => Math.Min(
        (ulong)Math.Max(0, ThreadLimit.Read() ?? long.MaxValue),
        Environment.IsPrivilegedProcess ? ulong.MaxValue : Soft(ThreadsOnLinux));

    // A limit that cannot be asked for is none.
    private static ulong Soft(int resource) => GetLimit(resource, out var limit) == 0 ? limit.Soft : ulong.MaxValue;

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }
}
