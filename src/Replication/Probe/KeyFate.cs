namespace RedisLatency.Replication.Probe;

/// <summary>What became of a key.</summary>
internal enum KeyFate
{
    /// <summary>Nothing is known: reading ended before its deadline.</summary>
    Unread,

    /// <summary>It was read as it was written.</summary>
    Read,

    /// <summary>It had another value.</summary>
    Overwritten,

    /// <summary>It was not there when its deadline had passed.</summary>
    Missing,

    /// <summary>The source answered with an error.</summary>
    Refused,

    /// <summary>It was due while there was no connection, or never.</summary>
    Unsent,
}
