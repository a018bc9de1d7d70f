using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>What one shard has with one connection: how much of it has been answered.</summary>
internal sealed class LaneShare(ShardLanes owner, SyncCounts counts)
{
    private long _completed;

    public ShardLanes Owner { get; } = owner;

    public SyncCounts Counts { get; } = counts;

    /// <summary>Units handed to the connection; the shard's thread counts.</summary>
    public long Written { get; set; }

    /// <summary>Units answered; the connection's thread counts.</summary>
    public long Completed => Volatile.Read(ref _completed);

    public void Complete()
    {
        Volatile.Write(ref _completed, _completed + 1);
        Owner.Signal();
    }
}
