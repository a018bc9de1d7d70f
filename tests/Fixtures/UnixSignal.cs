using System.Runtime.InteropServices;

namespace RedisLatency.Fixtures;

/// <summary>Sends signals to processes. The program <c>kill</c> is not on every machine.</summary>
public static class UnixSignal
{
    /// <summary>Sends a signal by its name: <c>TERM</c>, <c>INT</c>, <c>STOP</c>, <c>KILL</c>.</summary>
    /// <returns>Whether there was such a process. After <c>STOP</c> it stands still.</returns>
    public static bool Send(int processId, string name)
    {
        if (Kill(processId, NumberOf(name)) != 0)
            return false;
        // The signal wakes one thread, which stops the others: until it gets a processor they go on.
        if (name == "STOP" && OperatingSystem.IsLinux())
            SpinWait.SpinUntil(() => StandsStill(processId));
        return true;
    }

    // The state follows the name, which may hold anything, in parentheses (proc(5)).
    private static bool StandsStill(int processId)
    {
        try
        {
            return Directory.GetDirectories($"/proc/{processId}/task").All(task =>
                File.ReadAllText($"{task}/stat") is var stat && "TtZX".Contains(stat[stat.LastIndexOf(')') + 2]));
        }
        catch (IOException)
        {
            return !Directory.Exists($"/proc/{processId}");
        }
    }

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
