namespace RedisLatency.Sync.Scan;

/// <summary>What is carried over of how a key was used, which decides what is evicted.</summary>
internal enum KeyUse
{
    /// <summary>How long it was not used.</summary>
    Idle,

    /// <summary>How often it is used: the source evicts by LFU.</summary>
    Frequency,

    None,
}
