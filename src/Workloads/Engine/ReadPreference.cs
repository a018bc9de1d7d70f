namespace RedisLatency.Workloads.Engine;

/// <summary>Which servers commands that only read are sent to.</summary>
internal enum ReadPreference
{
    Primary,

    /// <summary>The replicas in turn; the primary only while none of them is up.</summary>
    Replica,

    Any,
}
