using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

// The StackExchange.Redis lane: the plan as an application would carry it out. A thread of the plan is a multiplexer
// (one for each endpoint), an operation in flight a caller that awaits its reply, continued on the thread pool.
internal sealed class ClientEngine : LoadEngine
{
    private readonly ClientWorker[] _workers;
    private readonly ProcessUse _use = new();
    private IReadOnlyList<RedisEndpoint> _servers = [];
    private SlotMapSource? _source;

    /// <summary>The plan's loop and processors are the raw lane's alone.</summary>
    public ClientEngine(EnginePlan plan)
        : base(plan)
    {
        _workers = Employ(place => new ClientWorker(plan, place, _use, Stop));
        Driver = new("stackexchange", ApplicationClient.Version, $"StackExchange.Redis {ApplicationClient.Version}")
        { IsClientLibrary = true };
    }

    // Which nodes the client asks is its own affair; those that the map named when it connected are where keys are.
    public override IReadOnlyList<RedisEndpoint> Servers => _servers;

    public override void Connect()
    {
        if (Plan.IsCluster)
        {
            // The client would take a server that is no node of a cluster, too.
            _source = SlotMapSource.Open(Plan.Endpoints[0], Plan.Connection);
            _servers = [.. _source.Current.Shards.Select(shard => shard.Primary.Endpoint)];
        }

        var nodes = Plan.IsCluster ? _servers : Plan.Endpoints;
        foreach (var endpoint in Plan.Mix.NeedsPreparation ? nodes : [])
        {
            using var connection = RedisConnection.Open(endpoint, Plan.Connection);
            Plan.Mix.Prepare(connection);
        }

        if (Plan.Endpoints[0].Topology == EndpointTopology.Sentinel)
            _source = SlotMapSource.OpenReplicated(Plan.Endpoints[0], Plan.Connection);
        foreach (var worker in _workers)
            worker.Connect(_source);
        Driver = Driver with { Protocol = _workers[0].Protocol };
    }

    public override EngineTotals Totals()
    {
        var totals = base.Totals();
        return totals with
        {
            AllocatedBytes = _use.AllocatedBytes,
            Processor = new ProcessorUse(_use.ProcessorNs, IsOfProcess: true),
            Moved = _workers.Sum(worker => worker.Moved),
            BusyShare = _use.BusyShare,
            Facts = totals.Facts with
            {
                PrimaryChanges = _source is null || Plan.IsCluster
                    ? []
                    : ServerSource.Changes(_source, totals.MeasuredFrom),
            },
        };
    }

    public override void Dispose()
    {
        base.Dispose();
        _source?.Dispose();
    }
}

/// <summary>What the process uses from first start to first end of a worker: client libraries hide threads.</summary>
internal sealed class ProcessUse
{
    private readonly Lock _lock = new();
    private long _since;
    private long _processorBefore;
    private long _allocatedBefore;
    private bool _hasEnded;

    public long ProcessorNs { get; private set; }

    public long AllocatedBytes { get; private set; }

    public double BusyShare { get; private set; }

    private static long ProcessorNow => Environment.CpuUsage.TotalTime.InNanoseconds;

    public void Begin(long now)
    {
        lock (_lock)
        {
            if (_since != 0)
                return;
            _since = now;
            _allocatedBefore = GC.GetTotalAllocatedBytes(precise: true);
            _processorBefore = ProcessorNow;
        }
    }

    /// <summary>Only the first call counts, and none before the beginning.</summary>
    public void End(long now)
    {
        lock (_lock)
        {
            if (_since == 0 || _hasEnded)
                return;
            _hasEnded = true;
            ProcessorNs = ProcessorNow - _processorBefore;
            AllocatedBytes = GC.GetTotalAllocatedBytes(precise: true) - _allocatedBefore;
            BusyShare = (double)ProcessorNs / Math.Max(1, now - _since) / Environment.ProcessorCount;
        }
    }
}
