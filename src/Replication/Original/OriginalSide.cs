namespace RedisLatency.Replication.Original;

/// <summary>Which side of the original tool this is.</summary>
internal enum OriginalSide
{
    /// <summary>Writes keys.</summary>
    Set,

    /// <summary>Reads them, and tells the delay.</summary>
    Get,
}
