namespace RedisLatency.Server.Clients;

/// <summary>A user of the in-process server.</summary>
/// <param name="Name">The name given to AUTH and HELLO.</param>
/// <param name="Password">The password; null lets the user in with any.</param>
public sealed record ServerUser(string Name, string? Password)
{
    /// <summary>Commands that the user may not run, in any case: <c>PUBLISH</c>.</summary>
    public IReadOnlyCollection<string> DeniedCommands { get; init; } = [];
}
