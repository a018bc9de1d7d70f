namespace RedisLatency.Server.Commands;

/// <summary>What a command is, as COMMAND tells it.</summary>
[Flags]
internal enum CommandFlags
{
    None = 0,
    Write = 1,
    ReadOnly = 2,
    DenyOutOfMemory = 4,
    Admin = 8,
    PubSub = 16,
    NoScript = 32,
    Loading = 64,
    Stale = 128,
    Fast = 256,

    NoAuthentication = 512,

    /// <summary>May be run by a RESP2 client that is subscribed; not told by COMMAND.</summary>
    WhileSubscribed = 1024,
}
