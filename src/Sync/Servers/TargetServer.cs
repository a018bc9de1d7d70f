using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Commands;

namespace RedisLatency.Sync.Servers;

/// <summary>A server at one end of a synchronisation, as far as it decides how it is spoken to.</summary>
internal sealed record TargetServer(ResolvedTarget Target, ServerFacts Facts)
{
    private static readonly TimeSpan LongestFreeing = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromMilliseconds(100);

    public bool IsCluster => Facts.Mode == "cluster" || Target.Endpoint.Topology == EndpointTopology.Cluster;

    public bool HasMap => IsCluster || Target.Endpoint.Topology == EndpointTopology.Sentinel;

    /// <summary>Its version as Redis counts; Valkey says which Redis it is like.</summary>
    public Version RedisVersion => ParseVersion(
        Facts.Fields.GetValueOrDefault("redis_version") ?? Facts.Version);

    /// <summary>What it stamps on DUMP, and accepts in RESTORE.</summary>
    public RdbFormat Format => Facts.Name == "valkey" && ParseVersion(Facts.Version) is { Major: >= 9 } valkey
        ? new RdbFormat(true, valkey is { Major: 9, Minor: < 2 } ? RdbFormat.FirstOfValkey : RdbFormat.NewestOfValkey)
        : new RdbFormat(false, RedisVersion switch
        {
            { Major: >= 9 } or { Major: 8, Minor: >= 8 } => RdbFormat.NewestOfRedis,
            { Major: 8, Minor: >= 6 } => 13,
            { Major: 8 } or { Major: 7, Minor: >= 4 } => 12,
            { Major: 7, Minor: >= 2 } => 11,
            { Major: 7 } => 10,
            { Major: 5 or 6 } => 9,
            { Major: 4 } => 8,
            { Major: 3, Minor: >= 2 } => 7,
            _ => 6,
        });

    // Those that had keys when it was read.
    public IReadOnlyList<(int Database, long Keys)> Databases => DatabasesIn(Facts.Fields);

    // Of INFO keyspace.
    public static List<(int Database, long Keys)> DatabasesIn(IReadOnlyDictionary<string, string> facts) =>
    [
        .. facts.Where(fact => fact.Key.StartsWith("db", StringComparison.Ordinal)
                && fact.Value.StartsWith("keys=", StringComparison.Ordinal))
            .Select(fact => (
                Database: int.Parse(fact.Key[2..], CultureInfo.InvariantCulture),
                Keys: long.Parse(fact.Value[5..].Split(',')[0], CultureInfo.InvariantCulture)))
            .OrderBy(one => one.Database),
    ];

    public ServerClock Clock { get; private init; } = ServerClock.OfThisMachine;

    /// <summary>Whether it is as new as the versions from which Redis and Valkey have something; null never.</summary>
    public bool Has(Version? redis, Version? valkey) => Facts.Name == "valkey"
        ? valkey is not null && ParseVersion(Facts.Version) >= valkey
        : redis is not null && RedisVersion >= redis;

    // Its process exits at a RESTORE of a module's value that it has no module for.
    public bool ExitsAtModules =>
        RedisVersion is { Major: > 0 } && !Has(new(6, 2), new(7, 2)) && !Facts.Fields.ContainsKey("module");

    public bool KnowsAbsoluteExpiry => RedisVersion.Major >= 5;

    public bool KnowsExpireTime => RedisVersion.Major >= 7;

    /// <exception cref="RedisException">It cannot be reached, or refuses.</exception>
    public static TargetServer Read(ResolvedTarget target)
    {
        using var control = target.OpenControl();
        return new TargetServer(target, ServerFacts.Read(control))
        {
            Clock = ServerClock.Ask(control) ?? ServerClock.OfThisMachine,
        };
    }

    /// <summary>Who serves which slots, in a cluster or behind Sentinels; null for a single server.</summary>
    /// <exception cref="RunRefusedException">Slots of the cluster are nobody's.</exception>
    public SlotMapSource? OpenMap()
    {
        if (!IsCluster)
            return HasMap ? SlotMapSource.OpenReplicated(Target.Endpoint, Target.Connection) : null;
        var map = SlotMapSource.Open(Target.Endpoint, Target.Connection);
        if (map.Current is { IsComplete: true })
            return map;
        var missing = string.Join(' ', map.Current.Missing);
        map.Dispose();
        throw new RunRefusedException($"{Target.Name} is a cluster in which no server has slots {missing}.");
    }

    // As they are now, of all primaries and databases.
    public long CountKeys() => ReadPrimaries().Sum(one => one.Databases.Sum(database => database.Keys));

    // Of which changes the data of each primary is the result: a replica has that of its primary.
    public IReadOnlyList<string> FindHistories() =>
        [.. ReadPrimaries().Select(one => one.Facts.Fields.GetValueOrDefault("master_replid")).OfType<string>()];

    /// <summary>The identities of its processes: of a cluster, of all primaries.</summary>
    public IReadOnlyList<string> FindServers() => [.. ReadPrimaries().Select(one => one.Facts.RunId).OfType<string>()];

    private List<TargetServer> ReadPrimaries() => FindPrimaries().ConvertAll(Read);

    /// <summary>Lets a table know the commands that this server has beside.</summary>
    public void Teach(CommandTable table)
    {
        using var control = Target.OpenControl();
        var commands = control.Request(RespLimits.List, "COMMAND");
        if (!commands.IsError)
            table.Learn(commands);
    }

    /// <summary>Deletes everything, at each primary, and waits until the memory is free.</summary>
    /// <exception cref="RunRefusedException">It refuses.</exception>
    public void Empty(IStopToken stop)
    {
        using var map = IsCluster ? OpenMap() : null;
        foreach (var primary in Primaries(map))
        {
            using var control = primary.OpenControl();
            if (control.Request("FLUSHALL", "ASYNC") is { IsError: true } refusal)
            {
                throw new RunRefusedException($"--empty-destination: {primary.Endpoint.Address}: {refusal.Text}")
                {
                    HoldsInMeasure = true,
                };
            }

            var until = MonotonicClock.NowNs() + LongestFreeing.InNanoseconds;
            while (MonotonicClock.NowNs() < until && Freeing(control) && !stop.WaitUntilRequested(BetweenChecks))
            {
            }
        }
    }

    // Which process answers at the address of each primary, by its run_id.
    public Dictionary<string, string> FindProcesses()
    {
        using var map = OpenMap();
        return Primaries(map).ToDictionary(
            one => one.Endpoint.Address, one => Read(one).Facts.RunId ?? string.Empty);
    }

    /// <summary>Those of a cluster, or itself, at this moment.</summary>
    public List<ResolvedTarget> FindPrimaries()
    {
        using var map = IsCluster ? OpenMap() : null;
        return [.. Primaries(map)];
    }

    private IEnumerable<ResolvedTarget> Primaries(SlotMapSource? map) =>
        map?.Current.Shards.Select(shard => Target with { Endpoint = shard.Primary.Endpoint }) ?? [Target];

    private static bool Freeing(RedisConnection control) => ServerFacts
        .FieldsOf(control.Request("INFO", "memory").Text).GetValueOrDefault("lazyfree_pending_objects", "0") != "0";

    private static Version ParseVersion(string? text) =>
        Version.TryParse(text?.Split('-', '+')[0], out var version) ? version : new Version(0, 0);
}
