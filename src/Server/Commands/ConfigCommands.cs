namespace RedisLatency.Server.Commands;

/// <summary>CONFIG GET, with the parameters that clients and benchmarks ask for; nothing can be set.</summary>
internal static class ConfigCommands
{
    private static readonly (string Name, string Value)[] Parameters =
    [
        ("save", string.Empty), ("appendonly", "no"), ("databases", "1"), ("timeout", "0"),
        ("slave-read-only", "yes"), ("replica-read-only", "yes"),
    ];

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("config", -2, static _ => { }) { Subcommands = new CommandTable([new("config|get", -3, Get)]) },
    ];

    private static void Get(CommandCall call)
    {
        var found = Parameters.Where(parameter => IsAsked(call, parameter.Name)).ToArray();
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
            if (call.Text(index).Equals(name, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }
}
