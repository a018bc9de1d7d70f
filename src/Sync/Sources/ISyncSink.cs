using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>Where a reader's batches go.</summary>
internal interface ISyncSink
{
    /// <summary>
    /// Filters, changes and hands on all of a batch, which is empty afterwards. Blocks while the target's queues are
    /// full.
    /// </summary>
    /// <exception cref="OperationCanceledException">The run shall end, or the target is lost.</exception>
    void Pass(SyncBatch batch);

    // Data of the source was read and is right, though none of it may be passed: what is not to stay at the target may
    // go.
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
