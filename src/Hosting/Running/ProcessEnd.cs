using System.Runtime.InteropServices;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Ends the process without waiting for anything: no finalizers, no exit handlers, no flushing. Leaving the signal to
/// its default action would not do: the first process of a container ignores it.
/// </summary>
internal static partial class ProcessEnd
{
    private const nint CurrentProcess = -1;

    public static void AtOnce(int exitCode)
    {
        if (OperatingSystem.IsWindows())
            TerminateProcess(CurrentProcess, (uint)exitCode);
        else
            ExitNow(exitCode);
    }

    [LibraryImport("libc", EntryPoint = "_exit")]
    private static partial void ExitNow(int status);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool TerminateProcess(nint process, uint exitCode);
}
