using System.Globalization;
using RedisLatency.Redis;

namespace RedisLatency.Workloads.Engine;

internal static class OpenFileLimit
{
    private const string Limits = "/proc/self/limits";
    private const string Open = "/proc/self/fd";

    // What is opened beside connections: results, event loops, questions to the server.
    private const int Others = 32;

    /// <summary>For so many more; where the system does not tell, they are tried.</summary>
    public static void Require(int sockets)
    {
        if (!File.Exists(Limits) || Read(File.ReadLines(Limits)) is not { } most)
            return;
        var open = Directory.EnumerateFileSystemEntries(Open).Count();
        if (WhyNot(sockets, open, most) is { } problem)
            throw new RedisConnectException(ConnectFailure.TooManyOpenFiles, problem);
    }

    internal static string? WhyNot(long sockets, long open, long most) => sockets + open + Others <= most
        ? null
        : string.Create(
            CultureInfo.InvariantCulture,
            $"{sockets:N0} connections need more open files than this process may have ({most:N0}, {open:N0} of them "
            + $"in use): ulimit -n {sockets + open + Others} before it, or LimitNOFILE in its systemd unit");

    internal static long? Read(IEnumerable<string> limits)
    {
        // Max open files            1024                 4096                 files
        const string Name = "Max open files";
        return limits.FirstOrDefault(line => line.StartsWith(Name, StringComparison.Ordinal)) is { } line
            && long.TryParse(
                line[Name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0],
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var most)
            ? most
            : null;
    }
}
