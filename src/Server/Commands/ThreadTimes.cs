using System.Runtime.InteropServices;

namespace RedisLatency.Server.Commands;

/// <summary>The processor time of the calling thread: in INFO, what the server costs without its host.</summary>
internal static unsafe class ThreadTimes
{
    private const int ThisThread = 1;

    /// <summary>Seconds; of the whole process where the system cannot tell threads apart.</summary>
    public static (double User, double Kernel) Read()
    {
        if (OperatingSystem.IsLinux())
        {
            // struct rusage begins with two timevals; 18 words in all.
            var usage = stackalloc long[18];
            if (getrusage(ThisThread, usage) == 0)
                return (usage[0] + (usage[1] / 1e6), usage[2] + (usage[3] / 1e6));
        }

        using var process = System.Diagnostics.Process.GetCurrentProcess();
        return (process.UserProcessorTime.TotalSeconds, process.PrivilegedProcessorTime.TotalSeconds);
    }

    [DllImport("libc")]
    private static extern int getrusage(int who, long* usage);
}
