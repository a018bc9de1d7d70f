namespace RedisLatency.Server.Faults;

/// <summary>What happens to a reply or message.</summary>
internal enum FaultKind
{
    Corrupt,
    Drop,
    Delay,
    CloseAfter,
    Duplicate,
    Reorder,
}
