namespace RedisLatency.Replication.Probe;

/// <summary>How it is known that a key is at the destination.</summary>
internal enum ReadingKind
{
    /// <summary>It is asked for again and again.</summary>
    Polling,

    /// <summary>By the push that the destination allows: tracking or else notifications.</summary>
    Push,

    /// <summary>Client tracking tells that the key changed (RESP3).</summary>
    Tracking,

    /// <summary>A keyspace notification tells of it.</summary>
    Notifications,

    /// <summary>It is no key but a message, published at the source and replicated.</summary>
    Publish,
}
