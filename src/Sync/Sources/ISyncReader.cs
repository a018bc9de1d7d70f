using RedisLatency.Hosting.Running;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>One shard of a source, or a file: reads on a thread of its own to its end, or until stopped.</summary>
internal interface ISyncReader : IDisposable
{
    /// <summary>What it is called in results: the server's address, or the file.</summary>
    string Name { get; }

    /// <summary>How far it is; asked on any thread.</summary>
    ReaderProgress Progress { get; }

    // What is missing at the target if it is stopped now; null where nothing is.
    string? Missing { get; }

    /// <summary>
    /// Reads and passes on. A batch is passed when it is large enough, and when nothing more has come.
    /// </summary>
    /// <exception cref="Redis.RedisException">The source is lost, or refuses.</exception>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    void Read(ISyncSink sink, IStopToken stop);
}

/// <summary>Where a reader's batches go.</summary>
internal interface ISyncSink
{
    /// <summary>
    /// Filters, changes and hands on all of a batch, which is empty afterwards. Blocks while the target's queues are
    /// full.
    /// </summary>
    /// <exception cref="OperationCanceledException">The run shall end, or the target is lost.</exception>
    void Pass(SyncBatch batch);

    // Data of the source was read and is right, though none of it may be passed: what is not to stay at the target may go.
    void Begin()
    {
    }

    /// <summary>Waits until the target has answered everything that was passed.</summary>
    /// <exception cref="OperationCanceledException">The run shall end, or the target is lost.</exception>
    void AwaitApplied();

    /// <summary>The offset up to which the target has everything of this reader; asked on any thread.</summary>
    long AppliedOffset { get; }

    /// <summary>Something that a user should know; it is in the record and on standard error.</summary>
    void Note(string kind, string text);

    /// <summary>Counts what cannot be carried over and is left out, with the reason.</summary>
    void Skip(string reason, ReadOnlySpan<byte> key);

    // What makes the run NOT VALID, and is no entry that could be counted: a sentence.
    void Fault(string text);
}

/// <param name="Phase">In a word or two: <c>scanning</c>, <c>receiving rdb</c>, <c>syncing aof</c>.</param>
/// <param name="Done">The share that is done, from 0 to 1; null where there is no end, or none is known.</param>
internal sealed record ReaderProgress(string Phase, double? Done = null)
{
    /// <summary>When the oldest was received that waits here, by the monotonic clock; 0 where nothing does.</summary>
    public long OldestNs { get; init; }

    /// <summary>What its status page has beside, by the names that RedisShake gives them.</summary>
    public IReadOnlyDictionary<string, object> Fields { get; init; } = new Dictionary<string, object>();
}
