using System.Runtime.ExceptionServices;
using RedisLatency.Redis.Cluster;
using RedisLatency.Redis.Connections;
using RedisLatency.Workloads.Engine.Connections;
using RedisLatency.Workloads.Engine.Loops;
using RedisLatency.Workloads.Engine.Routing;
using RedisLatency.Workloads.Engine.Totals;
using RedisLatency.Workloads.Engine.Workers;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Drives operations at a server from several threads, each with its own connections. <see cref="Connect"/>,
/// <see cref="Start"/>, then <see cref="Join"/>; <see cref="TakeInterval"/> and <see cref="Totals"/> may be asked from
/// any thread meanwhile.
/// </summary>
internal sealed class LoadEngine : IDisposable
{
    private const int ParallelConnects = 16;

    private readonly EnginePlan _plan;
    private readonly LoadWorker[] _workers;
    private readonly SlotMapSource? _source;
    private volatile string? _stopReason;

    /// <summary>
    /// Makes an engine; nothing is connected yet, but a cluster is asked for its map, Sentinels for the primary.
    /// </summary>
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
        for (var worker = 0; worker < _workers.Length; worker++)
        {
            var share = plan.Operations is { } all ? WorkerPlace.Share(all, worker, plan.Threads) : (long?)null;
            var loop = LoopChoice.Create(plan.Loop);
            LoopName = loop.Name;
            _workers[worker] = new LoadWorker(plan, new WorkerPlace(worker, plan.Threads, share), loop, _source, Stop);
        }
    }

    /// <summary>The event loop in use, for the result: <c>epoll_pwait2</c>.</summary>
    public string LoopName { get; } = string.Empty;

    /// <summary>Why that is not io_uring though the best was asked for, or null.</summary>
    public string? LoopFallBack => LoopChoice.FallBack(_plan.Loop);

    /// <summary>Why the engine stopped before its time (an error, a lost target), or null.</summary>
    public string? StopReason => _stopReason;

    /// <summary>What ended a worker: the target is lost, or a fault; null otherwise.</summary>
    public Exception? Failure =>
        _workers.Select(worker => worker.Failure).FirstOrDefault(one => one is not null);

    /// <summary>Whether a worker is still at work.</summary>
    public bool IsRunning => _workers.Any(worker => worker.IsRunning);

    /// <summary>Opens all connections and prepares the nodes (SCRIPT LOAD).</summary>
    /// <exception cref="Redis.RedisException">
    /// One cannot be opened, or this process may not have so many.
    /// </exception>
    public void Connect()
    {
        var all = _workers
            .SelectMany(worker => worker.Connections.Select(connection => (worker, connection))).ToArray();
        OpenFileLimit.Require(all.Length);
        Prepare();
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

    /// <summary>Starts all workers.</summary>
    /// <param name="startNs">When the first operation is due (or the warm-up begins), by the monotonic clock.</param>
    public void Start(long startNs)
    {
        foreach (var worker in _workers)
            worker.Start(startNs);
    }

    /// <summary>Sends nothing new; replies are awaited until the plan's drain limit. Never waits.</summary>
    public void RequestStop()
    {
        foreach (var worker in _workers)
            worker.RequestStop();
    }

    /// <summary>Waits until every worker has ended.</summary>
    public void Join()
    {
        foreach (var worker in _workers)
            worker.Join();
    }

    /// <summary>Adds the latencies that were recorded since the last call.</summary>
    public void TakeInterval(IntervalTotals into)
    {
        ArgumentNullException.ThrowIfNull(into);
        foreach (var worker in _workers)
        {
            var counts = worker.Counts;
            for (var operation = 0; operation < into.Service.Count; operation++)
            {
                counts.Service[operation].TakeInterval(into.Service[operation]);
                if (_plan.IsOpenLoop)
                    counts.Response[operation].TakeInterval(into.Response[operation]);
            }

            counts.Lateness.TakeInterval(into.Lateness);
        }
    }

    /// <summary>How far it has come. Allocates nothing.</summary>
    public EngineProgress Progress()
    {
        var sum = default(OperationCounts);
        var (unsent, connectionsLost) = (0L, 0L);
        foreach (var worker in _workers)
        {
            var counts = worker.Counts;
            for (var operation = 0; operation < _plan.Mix.Operations.Count; operation++)
                sum.Add(counts.Operations[operation]);
            unsent += counts.Unsent;
            connectionsLost += counts.ConnectionsLost;
        }

        var missing = sum.TimedOut + sum.Lost;
        return new EngineProgress(
            _workers[0].Counts.MeasuredFrom,
            sum.Sent,
            sum.Completed,
            sum.Errors + sum.Mismatched,
            missing,
            Math.Max(0, sum.Sent - sum.Completed - sum.Errors - missing),
            unsent,
            connectionsLost);
    }

    /// <summary>What has been done so far.</summary>
    public EngineTotals Totals()
    {
        var examples = new Dictionary<string, string>();
        var operations = _plan.Mix.Operations.Select((operation, index) => Total(operation.Name, index, examples))
            .ToArray();
        var counts = _workers.Select(worker => worker.Counts).ToArray();
        var refusals = new Dictionary<string, long>();
        foreach (var one in counts)
            one.Refusals.AddTo(refusals, examples);
        return new EngineTotals
        {
            Operations = operations,
            Unsent = counts.Sum(one => one.Unsent),
            HeldBack = counts.Sum(one => one.HeldBack),
            BytesSent = counts.Sum(one => one.BytesSent),
            BytesReceived = counts.Sum(one => one.BytesReceived),
            ConnectionsLost = counts.Sum(one => one.ConnectionsLost),
            Reconnected = counts.Sum(one => one.Reconnected),
            ReadsOfPrimary = counts.Sum(one => one.ReadsOfPrimary),
            Refusals = refusals,
            ErrorExamples = examples,
            BusyShare = counts.Max(one => one.BusyShare),
            MeasuredFrom = counts[0].MeasuredFrom,
            MeasuredUntil = counts.Max(one => one.LastCompleted),
            AllocatedBytes = counts.Sum(one => one.AllocatedBytes),
            LastBreak = counts.Select(one => one.LastBreak).FirstOrDefault(cause => cause is not null),
            MapsTaken = _source?.Refreshes ?? 0,
            Moved = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("MOVED")),
            Asked = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("ASK")),
            Nodes = _source is null ? [] : ServerSource.Totals(_source, _workers.Select(worker => worker.Nodes)),
            Switches = _source is null ? [] : ServerSource.Switches(_source),
        };
    }

    /// <summary>Ends the workers and closes their connections.</summary>
    public void Dispose()
    {
        RequestStop();
        foreach (var worker in _workers)
            worker.Dispose();
        _source?.Dispose();
    }

    private OperationTotals Total(string name, int index, Dictionary<string, string> examples)
    {
        var sum = default(OperationCounts);
        var errors = new Dictionary<string, long>();
        foreach (var counts in _workers.Select(worker => worker.Counts))
        {
            sum.Add(counts.Operations[index]);
            counts.Errors[index].AddTo(errors, examples);
        }

        return new OperationTotals
        {
            Name = name,
            Sent = sum.Sent,
            Completed = sum.Completed,
            Hits = sum.Hits,
            Misses = sum.Misses,
            Errors = sum.Errors,
            TimedOut = sum.TimedOut,
            Lost = sum.Lost,
            Retried = sum.Retried,
            Mismatched = sum.Mismatched,
            Redirected = sum.Redirected,
            ErrorReplies = errors,
        };
    }

    private void Prepare()
    {
        var preparations = _plan.Mix.Operations.Select(operation => operation.Command.Preparation)
            .Where(words => words.Count > 0).ToArray();
        if (preparations.Length == 0)
            return;
        var endpoints = _source?.Current.Shards.Select(shard => shard.Primary.Endpoint) ?? _plan.Endpoints;
        foreach (var endpoint in endpoints)
        {
            using var connection = RedisConnection.Open(endpoint, _plan.Connection);
            foreach (var words in preparations)
                connection.Execute([.. words]);
        }
    }

    private void Stop(string reason)
    {
        _stopReason ??= reason;
        RequestStop();
    }
}
