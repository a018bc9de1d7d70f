using System.Globalization;
using System.Text;

namespace RedisLatency.Server.Commands;

/// <summary>CONFIG GET, with the parameters that clients and benchmarks ask for; nothing can be set.</summary>
internal static class ConfigCommands
{
    private const CommandFlags Plain =
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("config", -2, CommandFlags.None, static _ => { })
        {
            Subcommands = new CommandTable(
            [
                new("config|get", -3, Plain, Get),
                new("config|resetstat", 2, Plain, static call => call.Ok()),
            ]),
        },
    ];

    private static void Get(CommandCall call)
    {
        var found = Parameters(call).Where(parameter => IsAsked(call, parameter.Name)).ToArray();
        call.MapHeader(found.Length);
        foreach (var (name, value) in found)
        {
            call.Reply.WriteBulkString(name);
            call.Reply.WriteBulkString(value);
        }
    }

    private static bool IsAsked(CommandCall call, string name)
    {
        for (var index = 2; index < call.Count; index++)
        {
            var pattern = Encoding.ASCII.GetBytes(call.Text(index).ToLowerInvariant());
            if (GlobPattern.IsMatch(pattern, Encoding.ASCII.GetBytes(name)))
                return true;
        }

        return false;
    }

    private static IEnumerable<(string Name, string Value)> Parameters(CommandCall call)
    {
        var limit = call.Server.Options.OutputBufferLimit;
        var soft = (long)limit.SoftTime.TotalSeconds;
        yield return ("save", string.Empty);
        yield return ("appendonly", "no");
        yield return ("databases", Text(call.Server.Databases.Length));
        yield return ("maxmemory", "0");
        yield return ("maxmemory-policy", "noeviction");
        yield return ("maxclients", "10000");
        yield return ("timeout", "0");
        yield return ("tcp-keepalive", "300");
        yield return ("port", Text(call.Server.Port));
        yield return ("unixsocket", call.Server.Options.UnixSocketPath ?? string.Empty);
        yield return ("proto-max-bulk-len", Text(Redis.Resp.RespRequestReader.MaxBulkLength));
        yield return ("slave-read-only", "yes");
        yield return ("replica-read-only", "yes");
        yield return ("io-threads", "1");
        yield return ("notify-keyspace-events", string.Empty);
        yield return (
            "client-output-buffer-limit",
            FormattableString.Invariant(
                $"normal 0 0 0 slave 268435456 67108864 60 pubsub {limit.HardBytes} {limit.SoftBytes} {soft}"));
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
