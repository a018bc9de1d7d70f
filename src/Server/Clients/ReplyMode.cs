namespace RedisLatency.Server.Clients;

/// <summary>Whether a client wants replies (CLIENT REPLY).</summary>
internal enum ReplyMode
{
    /// <summary>All.</summary>
    On,

    /// <summary>None; messages come all the same.</summary>
    Off,

    /// <summary>Not to the next command.</summary>
    SkipNext,
}
