using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Targets;

/// <summary>Writes the entries of one shard to the target. It copies what it takes.</summary>
internal interface IShardWriter
{
    // Takes one entry, or all of a transaction. Blocks while too much waits.
    void Write(SyncBatch batch, ReadOnlySpan<SyncEntry> entries);

    // Sends what was written: the batch is over, and the target has all up to the position with it.
    void Flush(StreamPosition position);

    // From now on the target is told beside the data how far it has the source's stream.
    void Keep(ShardCheckpoint checkpoint)
    {
    }

    // What it was told before counts no more.
    void RemoveCheckpoint()
    {
    }

    // Tells it for the last time, when all is answered.
    void SaveCheckpoint()
    {
    }

    // The source's offset up to which the target has answered; asked on any thread.
    long AppliedOffset { get; }

    // Waits until everything written has been answered.
    void AwaitApplied();
}
