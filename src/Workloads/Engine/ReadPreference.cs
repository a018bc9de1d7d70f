namespace RedisLatency.Workloads.Engine;

internal enum ReadPreference
{
    Primary,

    // The replicas in turn; the primary only while none of them is up.
    Replica,

    Any,
}
