namespace RedisLatency.Sync.Lanes;

internal enum UnitKind
{
    Command,
    Restore,
    Transaction,

    /// <summary>SELECT and the like, which no source gave.</summary>
    Control,
}
