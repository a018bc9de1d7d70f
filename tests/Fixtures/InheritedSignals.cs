using System.Diagnostics;
using System.Globalization;

namespace RedisLatency.Fixtures;

/// <summary>
/// Starts programs that SIGINT and SIGHUP end, also where the tests themselves were started with these ignored.
/// </summary>
/// <remarks>
/// A shell without job control starts background commands with SIGINT ignored, nohup with SIGHUP. Children inherit
/// that, and .NET leaves it so. <c>env</c> (coreutils 8.31) undoes it, and becomes the program: the process id is its.
/// </remarks>
public static class InheritedSignals
{
    private const string Status = "/proc/self/status";

    /// <summary>Whether the line <c>SigIgn:</c> of <c>/proc/PID/status</c> has SIGHUP (1) or SIGINT (2).</summary>
    public static bool AreIgnored(string line) =>
        (ulong.Parse(line.AsSpan("SigIgn:".Length).Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture) & 0b11)
        != 0;

    /// <summary>The command that runs another one with both signals at their default.</summary>
    public static string[] Reset(IEnumerable<string> command) => ["env", "--default-signal=HUP,INT", .. command];

    /// <summary>How to start a program, reset where that is needed.</summary>
    public static ProcessStartInfo Start(string program, params IEnumerable<string> arguments)
    {
        string[] command = [program, .. arguments];
        if (File.Exists(Status) && AreIgnored(File.ReadLines(Status).First(IsIgnored)))
            command = Reset(command);
        return new ProcessStartInfo(command[0], command[1..]);
    }

    private static bool IsIgnored(string line) => line.StartsWith("SigIgn:", StringComparison.Ordinal);
}
