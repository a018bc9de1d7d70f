namespace RedisLatency.Redis.Rdb;

/// <summary>
/// The entries that groups of a stream have pending and that were deleted from it: found by looking through the stream
/// once before its commands are made.
/// </summary>
internal sealed class OrphanedPending : IRdbValueVisitor
{
    private readonly SortedSet<StreamId> _pending = [];
    private readonly HashSet<StreamId> _entries = [];

    private OrphanedPending()
    {
    }

    /// <summary>Those that were taken so far.</summary>
    public List<StreamId> Added { get; } = [];

    public static OrphanedPending Find(RdbInput input, byte type, RdbFormat format)
    {
        var found = new OrphanedPending();
        new RdbValueWalk(found).Walk(input, type, format);
        found._pending.ExceptWith(found._entries);
        found._entries.Clear();
        return found;
    }

    /// <summary>Takes the first that is left, where it lies before that id.</summary>
    public bool TryTakeBefore(StreamId id, out StreamId orphan)
    {
        orphan = _pending.Min;
        if (_pending.Count == 0 || orphan.CompareTo(id) >= 0)
            return false;
        _pending.Remove(orphan);
        Added.Add(orphan);
        return true;
    }

    public void VisitStreamEntry(StreamId id, int fields) => _entries.Add(id);

    public void VisitPending(StreamId id, in StreamDelivery delivery) => _pending.Add(id);
}
