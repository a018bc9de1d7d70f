namespace RedisLatency.Replication.Sides;

/// <summary>What a writer writes whose reader is elsewhere.</summary>
internal enum WriterKind
{
    /// <summary>Keys, each once.</summary>
    Keys,

    /// <summary>Heartbeats: one key a shard, over and over.</summary>
    Heartbeats,
}
