namespace RedisLatency.Workloads.Engine;

internal interface IDueSender
{
    bool TryBegin(long due);
}
