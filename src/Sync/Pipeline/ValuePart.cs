namespace RedisLatency.Sync.Pipeline;

internal enum ValuePart
{
    None,
    First,
    Middle,
    Last,
}
