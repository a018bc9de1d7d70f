using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

// A lane's workers, one for each thread of the plan. Connect, Start, then Join; Workers, Progress and Totals may be
// asked from any thread meanwhile.
internal abstract class LoadEngine : IDisposable
{
    private LoadWorker[] _workers = [];
    private volatile string? _stopReason;

    protected LoadEngine(EnginePlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        plan.Check();
        Plan = plan;
    }

    public EngineDriver Driver { get; protected set; } = EngineDriver.None;

    /// <summary>Why the engine stopped before its time (an error, a lost target), or null.</summary>
    public string? StopReason => _stopReason;

    /// <summary>What ended it: the target is lost, or a fault; null otherwise.</summary>
    public Exception? Failure => _workers.Select(worker => worker.Failure).FirstOrDefault(one => one is not null);

    /// <summary>Where a cluster, Sentinels or a primary said to send; empty: the plan's endpoints.</summary>
    public abstract IReadOnlyList<RedisEndpoint> Servers { get; }

    public WorkerCounts[] Workers { get; private set; } = [];

    protected EnginePlan Plan { get; }

    /// <summary>Also prepares the nodes (SCRIPT LOAD).</summary>
    public abstract void Connect();

    /// <param name="startNs">When the first operation is due, or the warm-up begins, by the monotonic clock.</param>
    /// <param name="travelNs">How long an answer is on its way where nothing waits.</param>
    public void Start(long startNs, long travelNs = 0)
    {
        foreach (var worker in _workers)
            worker.Start(startNs, travelNs);
    }

    /// <summary>Sends nothing new; replies are awaited until the plan's drain limit. Never waits.</summary>
    public void RequestStop()
    {
        foreach (var worker in _workers)
            worker.RequestStop();
    }

    public void Join()
    {
        foreach (var worker in _workers)
            worker.Join();
        if (Failure is RedisException)
            Workers[0].Load.Unsent += LeftOver();
    }

    // A target that is given up is asked for no less than was planned: what its schedule had yet to send is unsent. Of
    // random times it is what their rate comes to.
    private long LeftOver()
    {
        if (!Plan.IsOpenLoop)
            return 0;
        var planned = Math.Min(
            Plan.Duration is { } duration ? (long)RateSteps.Until(Plan.Rate, duration) : long.MaxValue,
            Plan.Operations ?? long.MaxValue);
        return planned == long.MaxValue ? 0 : Math.Max(0, planned - Progress().Asked);
    }

    /// <summary>How far it has come. Allocates nothing.</summary>
    public EngineProgress Progress()
    {
        var (operations, load) = (default(OperationCounts), default(LoadCounts));
        foreach (var counts in Workers)
        {
            for (var operation = 0; operation < Plan.Mix.Operations.Count; operation++)
                operations.Add(counts.Operations[operation]);
            load.Add(counts.Load);
        }

        return new EngineProgress(Workers[0].MeasuredFrom, operations, load);
    }

    public virtual EngineTotals Totals()
    {
        var operations = Plan.Mix.Operations.Select(Total).ToArray();
        var (refusals, examples) = (new Dictionary<string, long>(), new Dictionary<string, string>());
        foreach (var one in Workers)
            one.Refusals.AddTo(refusals, examples);
        return new EngineTotals
        {
            Operations = operations,
            // The rows of the warm-up lie behind those that count.
            WarmUp = [.. Plan.Mix.Operations.Select((one, index) => Total(one, index + operations.Length))],
            Progress = Progress(),
            MeasuredUntil = Workers.Max(one => one.MeasuredUntil),
            LastEnded = Workers.Max(one => one.LastEnded),
            AfterEnd = AfterEnd(),
            AllocatedBytes = Workers.Sum(one => one.AllocatedBytes),
            Processor = ProcessorUse.Sum(Workers.Select(one => one.Processor)),
            Lost = TargetEnd.Lost(Workers.SelectMany(one => one.Ends)),
            Stuck = Workers.SelectMany(one => one.Ends).Where(end => end.IsStuck)
                .Select(end => end.Target).FirstOrDefault(),
            LastBreak = Workers.Select(one => one.LastBreak).FirstOrDefault(cause => cause is not null),
            Moved = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("MOVED")),
            BusyShare = Workers.Max(one => one.BusyShare),
            Facts = new EngineFacts
            {
                IsClientLibrary = Driver.IsClientLibrary,
                Loop = Driver.Loop,
                IsCluster = Plan.IsCluster,
                ReadFrom = Plan.ReadFrom == ReadPreference.Primary ? null : Plan.ReadFrom.ToString().ToLowerInvariant(),
                Threads = Plan.Threads,
                ConnectionsPerThread = Plan.ConnectionsPerThread,
                Pipeline = Plan.Pipeline,
                Refusals = refusals,
                RefusalExamples = examples,
            },
        };
    }

    public virtual void Dispose()
    {
        // All of them first: one that fails stops the others, which must be there to be told.
        RequestStop();
        Join();
        foreach (var worker in _workers)
            worker.Dispose();
    }

    /// <summary>Makes the workers: called once, at the end of the lane's constructor.</summary>
    protected TWorker[] Employ<TWorker>(Func<WorkerShare, TWorker> create)
        where TWorker : LoadWorker
    {
        var workers = new TWorker[Plan.Threads];
        for (var worker = 0; worker < workers.Length; worker++)
        {
            var number = Plan.FirstWorker + worker;
            var share = Plan.AllOperations is { } all ? WorkerShare.Share(all, number, Plan.AllWorkers)
                : Plan.Operations is { } own ? WorkerShare.Share(own, worker, Plan.Threads)
                : (long?)null;
            workers[worker] = create(new WorkerShare(number, Plan.AllWorkers, share, Plan.ConnectionsOf(worker)));
        }

        _workers = [.. workers];
        Workers = [.. workers.Select(worker => worker.Counts)];
        return workers;
    }

    protected void Stop(string reason)
    {
        _stopReason ??= reason;
        RequestStop();
    }

    private LatencyHistogram AfterEnd()
    {
        var sum = LatencyHistogram.ForLatency();
        foreach (var one in Workers)
        {
            if (one.AfterEnd is { } some)
                sum.Add(some);
        }

        return sum;
    }

    private OperationTotals Total(MixedOperation operation, int index)
    {
        var sum = default(OperationCounts);
        var (errors, examples) = (new Dictionary<string, long>(), new Dictionary<string, string>());
        foreach (var counts in Workers)
        {
            sum.Add(counts.Operations[index]);
            counts.Errors[index].AddTo(errors, examples);
        }

        return new OperationTotals
        {
            Name = operation.Name,
            Command = operation.Command.Text,
            Counts = sum,
            ErrorReplies = errors,
            ErrorExamples = examples,
        };
    }
}
