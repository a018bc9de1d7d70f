using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Rates;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <summary>The raw lane: several threads, each with its own event loop and connections.</summary>
internal sealed class LoadEngine : ILoadEngine
{
    private const int ParallelConnects = 16;

    private readonly EnginePlan _plan;
    private readonly LoadWorker[] _workers;
    private readonly WorkerSums _sums;
    private readonly SlotMapSource? _source;
    private volatile string? _stopReason;

    /// <summary>A cluster is asked for its map, Sentinels for the primary; nothing is connected yet.</summary>
    /// <exception cref="ArgumentException">The plan is wrong.</exception>
    /// <exception cref="PlatformNotSupportedException">This machine has no such loop.</exception>
    /// <exception cref="Redis.RedisException">They do not tell, or there is no replica to read from.</exception>
    public LoadEngine(EnginePlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        plan.Check();
        _plan = plan;
        _source = ServerSource.Open(plan);
        _workers = new LoadWorker[plan.Threads];
        var loopName = string.Empty;
        for (var worker = 0; worker < _workers.Length; worker++)
        {
            var share = plan.Operations is { } all ? WorkerPlace.Share(all, worker, plan.Threads) : (long?)null;
            var loop = LoopChoice.Create(plan.Loop);
            loopName = loop.Name;
            _workers[worker] = new LoadWorker(plan, new WorkerPlace(worker, plan.Threads, share), loop, _source, Stop);
        }

        _sums = new WorkerSums(plan, [.. _workers.Select(worker => worker.Counts)]);
        Driver = new EngineDriver("raw", ProgramVersion.Text, loopName, LoopChoice.FallBack(plan.Loop));
    }

    public EngineDriver Driver { get; }

    public string LoopName => Driver.Loop;

    public string? StopReason => _stopReason;

    public Exception? Failure =>
        _workers.Select(worker => worker.Failure).FirstOrDefault(one => one is not null);

    public bool IsRunning => _workers.Any(worker => worker.IsRunning);

    public IReadOnlyList<RedisEndpoint> Servers => _source is null ? [] : ServerSource.Used(NodesOfWorkers);

    public void Connect()
    {
        var all = _workers
            .SelectMany(worker => worker.Connections.Select(connection => (worker, connection))).ToArray();
        OpenFileLimit.Require(all.Length);
        var opened = new TakenConnection[all.Length];
        try
        {
            Parallel.For(
                0,
                all.Length,
                new ParallelOptions { MaxDegreeOfParallelism = ParallelConnects },
                index => opened[index] = ConnectionOpener.Open(_plan, all[index].connection.Endpoint));
        }
        catch (AggregateException problems)
        {
            foreach (var connection in opened)
                connection.Dispose();
            ExceptionDispatchInfo.Throw(problems.InnerExceptions[0]);
        }

        for (var index = 0; index < all.Length; index++)
            all[index].worker.Take(all[index].connection.Token, opened[index]);
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
        MapsTaken = _source?.Refreshes ?? 0,
        Nodes = _source is null ? [] : ServerSource.Totals(_source, NodesOfWorkers),
        Switches = _source is null ? [] : ServerSource.Switches(_source),
    };

    private IEnumerable<IReadOnlyList<NodeConnections?>> NodesOfWorkers => _workers.Select(worker => worker.Nodes);

    public void Dispose()
    {
        RequestStop();
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

/// <summary>What sends and receives for an engine; why its loop is not the best one, where that was wanted.</summary>
internal sealed record EngineDriver(string Name, string Version, string Loop, string? LoopFallBack = null)
{
    public bool IsClientLibrary { get; init; }

    /// <summary>The version of RESP where it is not that of a connection of ours; null where it is.</summary>
    public int? Protocol { get; init; }
}
