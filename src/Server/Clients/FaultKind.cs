namespace RedisLatency.Server.Clients;

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
