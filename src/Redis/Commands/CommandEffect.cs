namespace RedisLatency.Redis.Commands;

/// <summary>
/// What a command does to its keys, as far as it matters where it is sent twice, or once more behind one that stands
/// before it. All but <see cref="Changes"/> may be sent twice, and of several keys treat each by itself.
/// </summary>
public enum CommandEffect
{
    /// <summary>More each time, or by other keys: INCR, RPUSH, RENAME.</summary>
    Changes,

    /// <summary>By what is there: SETNX.</summary>
    Conditional,

    /// <summary>Nothing to the value, but to its time to live: EXPIRE.</summary>
    Keeps,

    /// <summary>Elements come: SADD.</summary>
    Adds,

    /// <summary>Elements go, and with the last one the key and its time to live: SREM.</summary>
    Removes,

    /// <summary>Whatever was there, it is the same afterwards: SET, DEL.</summary>
    Replaces,
}
