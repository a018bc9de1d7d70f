namespace RedisLatency.Workloads.Engine;

/// <summary>Which servers commands that only read are sent to.</summary>
internal enum ReadPreference
{
    /// <summary>The primary, as writes are.</summary>
    Primary,

    /// <summary>The replicas in turn; the primary only while none of them is up.</summary>
    Replica,

    /// <summary>The primary and its replicas in turn.</summary>
    Any,
}
