namespace RedisLatency.Replication.ReplicatorDelayTest;

internal enum OriginalSide
{
    Set,
    Get,
}
