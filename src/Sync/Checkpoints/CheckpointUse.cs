namespace RedisLatency.Sync.Checkpoints;

/// <summary>What a target is told of how far it is.</summary>
internal enum CheckpointUse
{
    /// <summary>It is told, and a run goes on from what it was told by one before.</summary>
    Keep,

    /// <summary>The same, but a run begins anew.</summary>
    Anew,

    /// <summary>Nothing.</summary>
    None,
}
