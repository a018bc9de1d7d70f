using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>Brings given commands to a real target, through all that lies between.</summary>
internal static class GivenSync
{
    public static SyncCounts Run(string uri, TransformPlan plan, int connections, params string[] commands) =>
        Run(uri, plan, connections, new GivenCommands(commands));

    public static SyncCounts Run(
        string uri, TransformPlan plan, int connections, ISyncReader reader,
        ExistingKeys onExisting = ExistingKeys.Rewrite)
    {
        using var stop = new StopSignal();
        using var fault = new SyncFault();
        var target = new ResolvedTarget(
            RedisEndpoint.Parse(uri), new RedisConnectionOptions(), DriverKind.Raw);
        var server = TargetServer.Read(target);
        var map = server.OpenMap();
        var table = new CommandTable();
        var events = new SessionEvents();
        var writer = new RedisWriter(
            new LaneRules
            {
                Target = target,
                Format = server.Format,
                Clock = server.Clock,
                Map = map,
                IsCluster = server.IsCluster,
                Table = table,
                Events = events,
                OnExisting = onExisting,
                ExpectsKeys = true,
                Patience = ServiceProcess.LimitAgainstHangs,
            },
            server, connections, fault);
        using var pipeline = new SyncPipeline(
            [reader], writer,
            plan with
            {
                Clock = server.Clock,
                IsTargetCluster = server.IsCluster,
                NeedsSlots = server.IsCluster || connections > 1,
            },
            table, events, fault, stop, rate: 0);
        pipeline.Run();
        return pipeline.Shards[0].Counts;
    }
}
