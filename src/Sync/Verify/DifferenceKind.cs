namespace RedisLatency.Sync.Verify;

internal enum DifferenceKind
{
    Missing,
    Extra,
    Type,
    Value,
    Time,
}
