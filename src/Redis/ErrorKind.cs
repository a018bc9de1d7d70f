namespace RedisLatency.Redis;

/// <summary>What an error says of the request, which was refused: whether and where to send it again.</summary>
public enum ErrorKind : byte
{
    /// <summary>It is no error.</summary>
    None,

    /// <summary>For good: the same request would be refused again.</summary>
    Final,

    /// <summary>For now: it passes without anybody changing anything.</summary>
    Passing,

    /// <summary>For now: a primary has become a replica, and another server takes what is written.</summary>
    ReadOnly,

    /// <summary>Another node has the slot for good: ask there, and take a new map.</summary>
    Moved,

    /// <summary>Another node has this key while the slot moves: say ASKING there and ask once; keep the map.</summary>
    Ask,

    /// <summary>The server has forgotten the script: send it along.</summary>
    NoScript,

    /// <summary>A key that is to be restored is there already.</summary>
    BusyKey,
}
