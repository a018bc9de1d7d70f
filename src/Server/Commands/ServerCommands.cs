namespace RedisLatency.Server.Commands;

internal static class ServerCommands
{
    /// <summary>The version of Redis whose replies these are.</summary>
    public const string Version = "7.0.15";

    private const CommandFlags Plain = CommandFlags.Loading | CommandFlags.Stale;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("command", -1, Plain, static call => call.Reply.WriteArrayHeader(0)),
    ];
}
