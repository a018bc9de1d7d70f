namespace RedisLatency.Server.Commands;

/// <summary>All commands of the server.</summary>
internal static class KnownCommands
{
    public static CommandTable Table { get; } = new(
    [
        .. ConnectionCommands.All, .. ClientCommands.All, .. PubSubCommands.All,
        .. StringCommands.All, .. SubstringCommands.All, .. NumberCommands.All, .. MultipleKeyCommands.All,
        .. KeyCommands.All, .. ExpiryCommands.All,
        .. ServerCommands.All, .. ConfigCommands.All, .. CommandCommands.All,
    ]);
}
