using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Sync;

/// <summary>
/// Where entries end: a server, a cluster, a file. Shards write at the same time, each on its own thread.
/// </summary>
internal interface ISyncWriter : IDisposable
{
    /// <summary>What it is called in results.</summary>
    string Name { get; }

    /// <summary>Opens ahead what can be, so that nothing has to be opened for the first key.</summary>
    /// <returns>How far behind the source each of its connections is.</returns>
    IReadOnlyList<LatencyRecorder> OpenAll();

    void Complete();

    /// <summary>Begins to take what one shard of the source has, and to count what becomes of it.</summary>
    IShardWriter Open(SyncCounts counts);
}

/// <summary>The way of one shard's entries to the target. It copies what it takes.</summary>
internal interface IShardWriter
{
    /// <summary>Takes one entry, or all of a transaction. Blocks while too much waits.</summary>
    void Write(SyncBatch batch, ReadOnlySpan<SyncEntry> entries);

    /// <summary>Sends what was written: the batch is over, and the target has all up to the offset with it.</summary>
    void Flush(long offset);

    /// <summary>The source's offset up to which the target has answered; asked on any thread.</summary>
    long AppliedOffset { get; }

    /// <summary>Waits until everything written has been answered.</summary>
    void AwaitApplied();
}
