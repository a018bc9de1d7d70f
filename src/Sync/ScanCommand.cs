using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Scan;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync;

internal static class ScanCommand
{
    private const string Name = "scan";

    private static readonly IReadOnlyList<CommandExample> Examples =
    [
        new("Copy all keys of one server to another that is empty",
            "scan 10.0.0.5 10.2.0.5"),
        new("From a cluster to a cluster, replacing keys that are there",
            "scan redis+cluster://a:7000 redis+cluster://b:7000 --on-existing rewrite"),
        new("Only some keys, renamed, of database 3 into database 0",
            "scan a:6379 b:6379 --database 3 --database-map 3:0 --allow-key-prefix user: "
                + "--rename-prefix user:=customer:"),
    ];

    public static ServiceCommand Create() => new ServiceCommand<SyncOptions>(
        Name,
        "Copies keys from one Redis to another as they are: SCAN, DUMP and RESTORE.",
        SyncCatalogue.CreateScan(),
        (command, _) =>
        {
            var plan = new SyncPlan(Name, command);
            return Task.FromResult(RunHost.Run(
                plan.Options.Output, run => new SyncRun(plan, run, Open).Run()));
        })
    {
        Examples = Examples,
    };

    private static SyncSource Open(SyncPlan plan, RdbFormat? _)
    {
        var target = plan.Resolve(plan.Options.Source);
        var server = TargetServer.Read(target);
        var scan = plan.Options.Scan;
        RequireDatabases(target, scan.Databases);
        var notes = new HashSet<string>();
        NoteLibraries(target, notes);
        var readers = Readers();
        return new SyncSource(target.Name, server, readers)
        {
            HasNoEnd = scan.Follows,
            FindProblem = () =>
                SentinelCheck.FindProblem(target.Endpoint, target.Connection, readers[0].ReadFrom, "read"),
            Notes = [.. notes],
        };

        List<ScanReader> Readers()
        {
            if (!server.IsCluster)
                return [ReaderOf(target, server, plan.Options, notes)];
            using var map = SlotMapSource.Open(target.Endpoint, target.Connection);
            return
            [
                .. map.Current.Shards.Select(shard =>
                {
                    var node = NodeOf(target, shard, plan.Options);
                    var primary = target with { Endpoint = shard.Primary.Endpoint };
                    return ReaderOf(node, TargetServer.Read(node), plan.Options, notes,
                        node.Connection.ReadsReplica ? primary : null);
                }),
            ];
        }
    }

    // One that exists and is empty is fine.
    private static void RequireDatabases(ResolvedTarget source, IReadOnlyList<int> databases)
    {
        using var control = source.OpenControl();
        foreach (var database in databases)
        {
            var number = database.ToString(CultureInfo.InvariantCulture);
            // Who may not select at all is told so with the other rights.
            if (control.Request("SELECT", number) is { IsError: true } refusal
                && !refusal.Text.StartsWith("NOPERM", StringComparison.Ordinal))
            {
                throw new RunRefusedException($"--database {number}: --source {source.Name} has no such database "
                    + $"({refusal.Text}).");
            }
        }
    }

    // SCAN does not come to them. Servers before Redis 7 have none.
    private static void NoteLibraries(ResolvedTarget source, HashSet<string> notes)
    {
        using var control = source.OpenControl();
        if (control.Request("FUNCTION", "LIST") is { IsError: false, Items.Count: > 0 and var count })
        {
            notes.Add($"The source has libraries of functions ({count}), which a scan does not carry over; "
                + "FUNCTION DUMP there and FUNCTION RESTORE at the target do.");
        }
    }

    private static ScanReader ReaderOf(
        ResolvedTarget node, TargetServer server, SyncOptions options, HashSet<string> notes,
        ResolvedTarget? primary = null)
    {
        if (options.Scan.Follows)
            KeyChanges.Require(node, notes);
        return new ScanReader(
            node, server, options.Scan, options.Scan.Use ?? UseAt(server), options.ReconnectTimeout)
        {
            Primary = primary,
        };
    }

    private static ResolvedTarget NodeOf(ResolvedTarget cluster, ClusterShard shard, SyncOptions options)
    {
        var isReplica = options.Scan.PrefersReplica && shard.Replicas.Count > 0;
        return cluster with
        {
            Endpoint = (isReplica ? shard.Replicas[0] : shard.Primary).Endpoint,
            Connection = cluster.Connection with { ReadsReplica = isReplica },
        };
    }

    private static KeyUse UseAt(TargetServer server) =>
        server.Facts.Fields.GetValueOrDefault("maxmemory_policy") switch
        {
            { } policy when policy.EndsWith("lfu", StringComparison.Ordinal) => KeyUse.Frequency,
            { } policy when policy.EndsWith("lru", StringComparison.Ordinal) => KeyUse.Idle,
            // Nobody would look at it.
            _ => KeyUse.None,
        };
}
