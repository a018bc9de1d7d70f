using System.Runtime.InteropServices;

namespace RedisLatency.Hosting.Running;

/// <summary>Pins the calling thread to processors; the runtime's own API moves only the main thread on Linux.</summary>
public static partial class ThreadAffinity
{
    private const int BytesOfMask = 128;

    private const string Status = "/proc/self/status";
    private const string AllowedField = "Cpus_allowed_list:";

    /// <summary>Tries on a thread of its own whether threads could be pinned, before anything depends on it.</summary>
    /// <param name="first">The processor of the first thread; the others take the next ones.</param>
    /// <param name="threads">How many threads there will be.</param>
    /// <exception cref="RunRefusedException">One of them cannot be pinned; the message says which would do.</exception>
    public static void Require(int first, int threads)
    {
        string? problem = null;
        var trial = new Thread(() => problem = Enumerable.Range(first, threads).Select(Pin)
            .FirstOrDefault(refusal => refusal is not null))
        {
            Name = "redislatency-pin-trial",
        };
        trial.Start();
        trial.Join();
        if (problem is not null)
        {
            var hint = Allowed() is { } list ? $"; it may on {list}" : string.Empty;
            throw new RunRefusedException($"--cpu {first}: {problem}{hint}");
        }
    }

    /// <summary>Pins the calling thread to a processor, counted from 0.</summary>
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

    // As the kernel writes lists: 0-3,8.
    private static string? Allowed()
    {
        try
        {
            return File.ReadLines(Status)
                .FirstOrDefault(line => line.StartsWith(AllowedField, StringComparison.Ordinal))
                ?[AllowedField.Length..].Trim();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nint size, ref byte mask);
}
