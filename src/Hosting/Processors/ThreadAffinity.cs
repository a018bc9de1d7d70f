using System.Runtime.InteropServices;

namespace RedisLatency.Hosting.Processors;

/// <summary>Pins the calling thread to processors; the runtime's own API moves only the main thread on Linux.</summary>
public static partial class ThreadAffinity
{
    private const int BytesOfMask = 128;

    /// <summary>Pins the calling thread.</summary>
    /// <param name="processor">The processor's number, from 0.</param>
    /// <returns>What went wrong, or null.</returns>
    public static string? Pin(int processor)
    {
        if (!OperatingSystem.IsLinux())
            return "threads can be pinned on Linux only";
        if (processor >= BytesOfMask * 8)
            return $"processor {processor} is beyond what can be named";

        Span<byte> mask = stackalloc byte[BytesOfMask];
        mask[processor / 8] = (byte)(1 << (processor % 8));
        return SetAffinity(0, BytesOfMask, ref MemoryMarshal.GetReference(mask)) == 0
            ? null
            : $"this process may not run on processor {processor}: {Marshal.GetLastPInvokeErrorMessage()}";
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nint size, ref byte mask);
}
