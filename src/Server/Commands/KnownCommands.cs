namespace RedisLatency.Server.Commands;

/// <summary>What the lanes, the loads and the replications of this product send, and no more.</summary>
internal static class KnownCommands
{
    public static CommandTable Table { get; } = new(
    [
        .. ConnectionCommands.All, .. PubSubCommands.All, .. StringCommands.All, .. KeyCommands.All,
        .. ExpiryCommands.All, .. ServerCommands.All, .. ConfigCommands.All,
    ]);
}
