namespace RedisLatency.Sync.Pipeline;

internal enum EntryKind
{
    Command,
    Restore,

    // A key whose value is damaged, which is why; it is left out unless a filter does so.
    Damaged,
}
