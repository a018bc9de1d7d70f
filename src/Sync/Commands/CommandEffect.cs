namespace RedisLatency.Sync.Commands;

// What a command does to its keys, as far as it matters where it is sent twice, or once more behind one that stands
// before it. All but Changes may be sent twice, and of several keys treat each by itself.
internal enum CommandEffect
{
    // More each time, or by other keys: INCR, RPUSH, RENAME.
    Changes,

    // By what is there: SETNX.
    Conditional,

    // Nothing to the value, but to its time to live: EXPIRE.
    Keeps,

    // Elements come: SADD.
    Adds,

    // Elements go, and with the last one the key and its time to live: SREM.
    Removes,

    // Whatever was there, it is the same afterwards: SET, DEL.
    Replaces,
}
