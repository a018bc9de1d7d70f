namespace RedisLatency.Sync.Lanes;

/// <summary>What is done with a key that is to be restored and is there already.</summary>
internal enum ExistingKeys
{
    /// <summary>The run ends.</summary>
    Panic,

    /// <summary>It is replaced.</summary>
    Rewrite,

    /// <summary>It stays, and is counted.</summary>
    Skip,
}
