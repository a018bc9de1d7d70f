namespace RedisLatency.Replication;

internal enum OnAlert
{
    Report,
    Exit,
}
