namespace RedisLatency.Server.Commands;

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
