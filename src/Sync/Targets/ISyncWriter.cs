using RedisLatency.Metrics.Histograms;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Targets;

/// <summary>
/// Where entries end: a server, a cluster, a file. Shards write at the same time, each on its own thread.
/// </summary>
internal interface ISyncWriter : IDisposable
{
    // What it is called in results.
    string Name { get; }

    // Opens ahead what can be, so that nothing has to be opened for the first key.
    /// <returns>How far behind the source each of its connections is.</returns>
    IReadOnlyList<LatencyRecorder> OpenAll();

    // Before the first entry, by any shard and more than once.
    void Begin()
    {
    }

    /// <summary>Nothing comes any more.</summary>
    /// <param name="isWhole">Whether all of a source was read: to its end, or until the run was stopped.</param>
    /// <exception cref="Hosting.Running.TargetLostException">It may not be, or the file cannot be made.</exception>
    void Complete(bool isWhole);

    bool IsCluster { get; }

    // Why what it acknowledged may not be there any more, as far as that is known by now.
    string? Lost => null;

    // What waits at each of its servers, or in its file; asked on any thread.
    IReadOnlyList<WriterProgress> Places { get; }

    // Begins to take what one shard of the source has, and to count what becomes of it.
    IShardWriter Open(SyncCounts counts);
}
