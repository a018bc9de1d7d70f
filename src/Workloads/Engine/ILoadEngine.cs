using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <summary>Connect, Start, then Join; Workers, Progress and Totals may be asked from any thread meanwhile.</summary>
internal interface ILoadEngine : IDisposable
{
    EngineDriver Driver { get; }

    /// <summary>Why the engine stopped before its time (an error, a lost target), or null.</summary>
    string? StopReason { get; }

    /// <summary>What ended it: the target is lost, or a fault; null otherwise.</summary>
    Exception? Failure { get; }

    /// <summary>Also prepares the nodes (SCRIPT LOAD).</summary>
    /// <exception cref="Redis.RedisException">One cannot be opened.</exception>
    void Connect();

    /// <summary>Where a cluster, Sentinels or a primary said to send; empty: the plan's endpoints.</summary>
    IReadOnlyList<RedisEndpoint> Servers { get; }

    // startNs: when the first operation is due, or the warm-up begins, by the monotonic clock.
    void Start(long startNs);

    /// <summary>Sends nothing new; replies are awaited until the plan's drain limit. Never waits.</summary>
    void RequestStop();

    void Join();

    IReadOnlyList<WorkerCounts> Workers { get; }

    /// <summary>How far it has come. Allocates nothing.</summary>
    EngineProgress Progress();

    EngineTotals Totals();
}
