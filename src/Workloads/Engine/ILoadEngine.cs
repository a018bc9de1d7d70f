using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// What drives the operations of a plan: <see cref="Connect"/>, <see cref="Start"/>, then <see cref="Join"/>;
/// <see cref="Workers"/>, <see cref="Progress"/> and <see cref="Totals"/> may be asked from any thread meanwhile.
/// Who measures and reports need not know which one it is.
/// </summary>
internal interface ILoadEngine : IDisposable
{
    /// <summary>What sends and receives, for the result.</summary>
    EngineDriver Driver { get; }

    /// <summary>Why the engine stopped before its time (an error, a lost target), or null.</summary>
    string? StopReason { get; }

    /// <summary>What ended it: the target is lost, or a fault; null otherwise.</summary>
    Exception? Failure { get; }

    /// <summary>Opens all connections and prepares the nodes (SCRIPT LOAD).</summary>
    /// <exception cref="Redis.RedisException">One cannot be opened.</exception>
    void Connect();

    /// <summary>
    /// Where operations are sent, if a cluster, Sentinels or a primary told; empty where the plan's endpoints are
    /// meant.
    /// </summary>
    IReadOnlyList<RedisEndpoint> Servers { get; }

    /// <summary>Starts.</summary>
    /// <param name="startNs">When the first operation is due (or the warm-up begins), by the monotonic clock.</param>
    void Start(long startNs);

    /// <summary>Sends nothing new; replies are awaited until the plan's drain limit. Never waits.</summary>
    void RequestStop();

    /// <summary>Waits until the end.</summary>
    void Join();

    /// <summary>What its threads record and count.</summary>
    IReadOnlyList<WorkerCounts> Workers { get; }

    /// <summary>How far it has come. Allocates nothing.</summary>
    EngineProgress Progress();

    /// <summary>What has been done so far.</summary>
    EngineTotals Totals();
}
