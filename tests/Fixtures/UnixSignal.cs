using System.Runtime.InteropServices;

namespace RedisLatency.Fixtures;

/// <summary>Sends signals to processes. The program <c>kill</c> is not on every machine.</summary>
public static class UnixSignal
{
    /// <summary>Sends a signal by its name: <c>TERM</c>, <c>INT</c>, <c>STOP</c>, <c>KILL</c>.</summary>
    /// <returns>Whether there was such a process.</returns>
    public static bool Send(int processId, string name) => Kill(processId, NumberOf(name)) == 0;

    private static int NumberOf(string name) => name switch
    {
        "HUP" => 1,
        "INT" => 2,
        "KILL" => 9,
        "TERM" => 15,
        "CONT" => OperatingSystem.IsLinux() ? 18 : 19,
        "STOP" => OperatingSystem.IsLinux() ? 19 : 17,
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, null),
    };

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int Kill(int processId, int signal);
}
