using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Options;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Engine;

/// <summary>The raw lane: several threads, each with its own event loop and connections.</summary>
internal sealed class RawEngine : LoadEngine
{
    private const int ParallelConnects = 16;

    private readonly RawWorker[] _workers;
    private readonly SlotMapSource? _source;
    private TakenConnection[] _idle = [];

    /// <summary>A cluster is asked for its map, Sentinels for the primary; nothing is connected yet.</summary>
    public RawEngine(EnginePlan plan)
        : base(plan)
    {
        _source = ServerSource.Open(plan);
        var tags = plan.HasTagOfEachPrimary && _source is { Current: { Shards.Count: > 0 } map }
            ? ClusterTags.OfSlots(map.Shards.Select(shard => shard.Ranges[0].First))
            : null;
        var loopName = string.Empty;
        _workers = Employ(place =>
        {
            var loop = new StreamLoop(ReadinessPoller.Create());
            loopName = loop.Name;
            return new RawWorker(plan, place with { Tags = tags }, loop, _source, Stop);
        });
        Driver = new EngineDriver("raw", ProgramVersion.Text, loopName);
    }

    public override IReadOnlyList<RedisEndpoint> Servers => _source is null ? [] : ServerSource.Used(NodesOfWorkers);

    private IEnumerable<IReadOnlyList<NodeConnections?>> NodesOfWorkers => _workers.Select(worker => worker.Nodes);

    public override void Connect()
    {
        var all = _workers
            .SelectMany(worker => worker.Connections.Select(connection => (worker, connection))).ToArray();
        var count = all.Length + Plan.IdleConnections;
        OpenFileLimit.Require(count);
        var opened = new TakenConnection[count];
        try
        {
            Parallel.For(
                0,
                count,
                new ParallelOptions { MaxDegreeOfParallelism = ParallelConnects },
                index => opened[index] = ConnectionOpener.Open(
                    Plan,
                    index < all.Length
                        ? all[index].connection.Endpoint
                        : Plan.Endpoints[(index - all.Length) % Plan.Endpoints.Count]));
        }
        catch (AggregateException problems)
        {
            foreach (var connection in opened)
                connection.Dispose();
            if (problems.InnerExceptions[0] is RedisConnectException { Reason: ConnectFailure.RefusedByServer } refused)
            {
                throw new RedisConnectException(
                    refused.Reason,
                    $"{refused.Message}; {opened.Count(one => one.Socket is not null)} of {count} connected",
                    refused);
            }

            ExceptionDispatchInfo.Throw(problems.InnerExceptions[0]);
        }

        _idle = opened[all.Length..];
        for (var index = 0; index < all.Length; index++)
            all[index].worker.Take(all[index].connection.Token, opened[index]);
    }

    public override EngineTotals Totals()
    {
        var totals = base.Totals();
        totals = totals with { Idle = (_idle.Length, _idle.Count(IsClosed)) };
        return _source is null ? totals : totals with
        {
            MapsTaken = _source.Refreshes,
            Facts = totals.Facts with
            {
                Servers = ServerSource.Shares(_source, NodesOfWorkers),
                PrimaryChanges = ServerSource.Changes(_source, totals.MeasuredFrom),
            },
        };
    }

    private static bool IsClosed(TakenConnection connection) =>
        connection.Socket.Poll(0, SelectMode.SelectRead) && connection.Socket.Available == 0;

    public override void Dispose()
    {
        base.Dispose();
        foreach (var connection in _idle)
            connection.Dispose();
        _source?.Dispose();
    }
}
