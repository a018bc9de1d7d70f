namespace RedisLatency.Server.Commands;

internal static class KnownCommands
{
    public static CommandTable Table { get; } = new(
    [
        .. ConnectionCommands.All, .. ClientCommands.All, .. PubSubCommands.All,
        .. StringCommands.All, .. NumberCommands.All, .. KeyCommands.All, .. ExpiryCommands.All,
        .. ServerCommands.All, .. ConfigCommands.All, .. CommandCommands.All,
    ]);
}
