using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync;

/// <summary>The verbs sync, rdb and aof.</summary>
internal static class SourceCommands
{
    public static ServiceCommand CreateSync() => Create(
        "sync", "Copies a Redis to another and keeps it up to date: read as a replica does, until stopped.",
        SyncCatalogue.CreateSync(), OpenSource,
        new CommandExample("Carry over everything, and go on until stopped",
            "sync 10.0.0.5 10.2.0.5"),
        new CommandExample("From one server to a cluster, databases 0 and 1 into its only one",
            "sync a:6379 redis+cluster://b:7000 --database-map 1:0"));

    public static ServiceCommand CreateRdb() => Create(
        "rdb", "Restores the keys of an RDB file at a server or cluster.",
        SyncCatalogue.CreateFile(isAof: false), OpenRdb,
        new CommandExample("Restore a file", "rdb dump.rdb b:6379"),
        new CommandExample("See what is in it, as commands",
            "rdb dump.rdb --destination-file dump.txt --file-format cmd"));

    public static ServiceCommand CreateAof() => Create(
        "aof", "Carries out an append-only file at a server or cluster.",
        SyncCatalogue.CreateFile(isAof: true), OpenAof,
        new CommandExample("Restore the state of a moment",
            "aof appendonlydir/appendonly.aof.manifest b:6379 --until 1790000000"));

    private static ServiceCommand<SyncOptions> Create(
        string name, string purpose, OptionCatalogue<SyncOptions> catalogue,
        Func<SyncPlan, RdbFormat?, SyncSource> open, params CommandExample[] examples) => new(
        name, purpose, catalogue,
        (command, _) =>
        {
            var plan = new SyncPlan(name, command);
            return Task.FromResult(RunHost.Run(
                plan.Options.Output, run => new SyncRun(plan, run, open).Run()));
        })
        {
            Examples = examples,
        };

    private static SyncSource OpenSource(SyncPlan plan, RdbFormat? target)
    {
        var source = plan.Resolve(plan.Options.Source);
        var server = TargetServer.Read(source);
        var endpoint = server.IsCluster
            ? source.Endpoint with { Topology = EndpointTopology.Cluster }
            : source.Endpoint;
        var shards = SourceShards.Open(plan.SourceOf(target ?? server.Format) with
        {
            Endpoint = endpoint,
            Connection = source.Connection,
        });
        return new SyncSource(source.Name, server, shards.Readers, shards)
        {
            HasNoEnd = !plan.Options.Reading.LeavesStream,
            SlotRanges = shards.SlotRanges,
            FindMovedSlots = shards.FindMovedSlots,
            FindProblem = shards.FindProblem,
            Notes =
            [
                plan.Options.OnlyVerifies
                    ? "The source counts this run as a replica, which acknowledges nothing: WAIT does not count it."
                    : "The source counts this run as a replica (min-replicas-to-write, Sentinel's list) that stays a "
                        + "byte behind: WAIT counts it for a write once a later one is at the target, and FAILOVER "
                        + "does not elect it.",
            ],
        };
    }

    private static SyncSource OpenRdb(SyncPlan plan, RdbFormat? target)
    {
        var reader = new RdbFileReader(plan.Options.Reading.File, plan.SourceOf(target));
        return new SyncSource(reader.Name, null, [reader]);
    }

    private static SyncSource OpenAof(SyncPlan plan, RdbFormat? target)
    {
        var reader = new AofFileReader(plan.Options.Reading.File, plan.SourceOf(target));
        return new SyncSource(reader.Name, null, [reader]);
    }
}
