namespace RedisLatency.Replication.Probe;

/// <summary>What a look found of a key.</summary>
internal enum SeenState
{
    /// <summary>It is not there.</summary>
    Absent,

    /// <summary>It is there as it was written.</summary>
    AsWritten,

    /// <summary>It has another value.</summary>
    Overwritten,
}
