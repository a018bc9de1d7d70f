namespace RedisLatency.Sync.Targets;

internal enum FileFormat
{
    Aof,
    Cmd,
    Json,
}
