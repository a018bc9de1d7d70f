using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Lanes;

/// <summary>
/// The StackExchange.Redis lane: the plan as an application would carry it out. A thread of the plan is a multiplexer
/// (one for each endpoint), an operation in flight a caller that awaits its reply, continued on the thread pool.
/// </summary>
internal sealed class ClientEngine : ILoadEngine
{
    private readonly EnginePlan _plan;
    private readonly ClientWorker[] _workers;
    private readonly WorkerSums _sums;
    private readonly ProcessUse _use = new();
    private SlotMapSource? _source;
    private volatile string? _stopReason;

    /// <summary>The plan's loop and processors are the raw lane's alone.</summary>
    /// <exception cref="ArgumentException">The plan is wrong.</exception>
    public ClientEngine(EnginePlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        plan.Check();
        _plan = plan;
        _workers = new ClientWorker[plan.Threads];
        for (var worker = 0; worker < _workers.Length; worker++)
        {
            var share = plan.Operations is { } all ? WorkerPlace.Share(all, worker, plan.Threads) : (long?)null;
            _workers[worker] = new ClientWorker(plan, new WorkerPlace(worker, plan.Threads, share), _use, Stop);
        }

        _sums = new WorkerSums(plan, [.. _workers.Select(worker => worker.Counts)]);
    }

    public EngineDriver Driver { get; private set; } =
        new("stackexchange", ApplicationClient.Version, $"StackExchange.Redis {ApplicationClient.Version}")
        {
            IsClientLibrary = true,
        };

    public string? StopReason => _stopReason;

    public Exception? Failure => _workers.Select(worker => worker.Failure).FirstOrDefault(one => one is not null);

    // Which nodes the client asks is its own affair; those that the map named when it connected are where keys are.
    public IReadOnlyList<RedisEndpoint> Servers { get; private set; } = [];

    public void Connect()
    {
        if (_plan.IsCluster)
        {
            // The client would take a server that is no node of a cluster, too.
            using var map = SlotMapSource.Open(_plan.Endpoints[0], _plan.Connection);
            Servers = [.. map.Current.Shards.Select(shard => shard.Primary.Endpoint)];
            ScriptPreparation.Run(_plan.Mix, () => Servers, _plan.Connection);
        }
        else
        {
            ScriptPreparation.Run(_plan.Mix, () => _plan.Endpoints, _plan.Connection);
        }

        if (_plan.Endpoints[0].Topology == EndpointTopology.Sentinel)
            _source = SlotMapSource.OpenReplicated(_plan.Endpoints[0], _plan.Connection);
        foreach (var worker in _workers)
            worker.Connect(_source);
        Driver = Driver with { Protocol = _workers[0].Protocol };
    }

    public void Start(long startNs)
    {
        foreach (var worker in _workers)
            worker.Start(startNs);
    }

    public void RequestStop()
    {
        foreach (var worker in _workers)
            worker.RequestStop();
    }

    public void Join()
    {
        foreach (var worker in _workers)
            worker.Join();
    }

    public IReadOnlyList<WorkerCounts> Workers => _sums.Workers;

    public EngineProgress Progress() => _sums.Progress();

    public EngineTotals Totals() => _sums.Totals() with
    {
        AllocatedBytes = _use.AllocatedBytes,
        Processor = new ProcessorUse(_use.ProcessorNs, IsOfProcess: true),
        BusyShare = _use.BusyShare,
        BytesSent = null,
        BytesReceived = null,
        Moved = _workers.Sum(worker => worker.Moved),
        Switches = _source is null ? [] : ServerSource.Switches(_source),
    };

    public void Dispose()
    {
        // All of them first: one that fails stops the others, which must be there to be told.
        RequestStop();
        Join();
        foreach (var worker in _workers)
            worker.Dispose();
        _source?.Dispose();
    }

    private void Stop(string reason)
    {
        _stopReason ??= reason;
        RequestStop();
    }
}
