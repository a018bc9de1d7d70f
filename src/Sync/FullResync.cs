namespace RedisLatency.Sync;

/// <summary>What is done where the source cannot go on with its stream.</summary>
internal enum FullResync
{
    /// <summary>The run ends, with the offset that was reached.</summary>
    End,

    /// <summary>Everything is read again.</summary>
    Again,
}
