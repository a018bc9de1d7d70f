using RedisLatency.Hosting.Running;
using RedisLatency.Sync.Checkpoints;

namespace RedisLatency.Sync.Sources;

/// <summary>One shard of a source, or a file: reads on a thread of its own to its end, or until stopped.</summary>
internal interface ISyncReader : IDisposable
{
    /// <summary>What it is called in results: the server's address, or the file.</summary>
    string Name { get; }

    /// <summary>How far it is; asked on any thread.</summary>
    ReaderProgress Progress { get; }

    // The first slot of its shard: by that a checkpoint knows it.
    int Shard => 0;

    // The target has everything before it.
    void GoOnFrom(StreamPosition position)
    {
    }

    // Whether what is written at the source from now on comes behind what it had: a server has said so.
    bool HasBegun => true;

    // What is missing at the target if it is stopped now; null where nothing is.
    string? Missing { get; }

    /// <summary>
    /// Reads and passes on. A batch is passed when it is large enough, and when nothing more has come.
    /// </summary>
    /// <exception cref="Redis.RedisException">The source is lost, or refuses.</exception>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    void Read(ISyncSink sink, IStopToken stop);
}
