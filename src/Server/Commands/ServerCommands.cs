namespace RedisLatency.Server.Commands;

/// <summary>The server itself: TIME, INFO, CLUSTER's refusal.</summary>
internal static class ServerCommands
{
    /// <summary>The version of Redis whose replies these are.</summary>
    public const string Version = "7.0.15";

    private const CommandFlags Plain = CommandFlags.Loading | CommandFlags.Stale;

    public static IEnumerable<CommandDescription> All { get; } =
    [
        new("time", 1, Plain | CommandFlags.Fast, Time),
        new("info", -1, Plain, static call => call.Verbatim(ServerInformation.Write(call))),
        new("cluster", -2, Plain, static call => call.Error("ERR This instance has cluster support disabled")),
    ];

    private static void Time(CommandCall call)
    {
        var microseconds = call.Server.Clock.Microseconds;
        call.Reply.WriteArrayHeader(2);
        call.Reply.WriteBulkString(microseconds / 1_000_000);
        call.Reply.WriteBulkString(microseconds % 1_000_000);
    }
}
