using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Scan;

namespace RedisLatency.Sync.Servers;

/// <summary>Looks before anything is written whether both servers are what they should be.</summary>
internal sealed class Preflight(TargetServer? source, TargetServer target, SyncPlan plan)
{
    private static readonly string[][] Following = [["PSUBSCRIBE", KeyChanges.Pattern], ["PING"]];

    // What only some data asks for (a message, a library) is refused when it comes.
    private static readonly string[][] Writing =
    [
        ["RESTORE", "k", "0", "v"], ["DEL", "k"], ["SELECT", "0"], ["SET", "k", "v"], ["PFCOUNT", "k"], ["MULTI"],
        ["HGET", "k", "f"], ["HGETALL", "k"], ["COMMAND"],
    ];

    /// <exception cref="RunRefusedException">They are not; the message says what to do about each.</exception>
    public void RequireServers() => Require(Roles().Concat(Databases()).Concat(Rights()));

    /// <summary>Looks whether the target can take a data set.</summary>
    /// <exception cref="RunRefusedException">It cannot; the message says what to do.</exception>
    public void RequireRoom() => Require(Contents().Concat(Memory()));

    private static void Require(IEnumerable<string> problems)
    {
        var all = string.Join(" ", problems);
        if (all.Length > 0)
            throw new RunRefusedException(all);
    }

    private IEnumerable<string> Roles()
    {
        if (source?.Facts.RunId is { } id && id == target.Facts.RunId)
            yield return $"--source and --destination {target.Target.Name} are one server: give two.";
        else if (source?.FindHistories().Intersect(target.FindHistories()).Any() == true)
        {
            yield return $"--source {source.Target.Name} and --destination {target.Target.Name} have the same data "
                + "(they are of one cluster, or one replicates the other): what is written at one comes back from the "
                + "other. Give another.";
        }

        if (target.Facts.Role == "slave" && !target.IsCluster)
        {
            yield return $"--destination {target.Target.Name} is a replica, which takes no writes: give its primary, "
                + $"{target.Facts.Fields.GetValueOrDefault("master_host")}:"
                + $"{target.Facts.Fields.GetValueOrDefault("master_port")}.";
        }

        if (source?.Facts.IsLoading == true || target.Facts.IsLoading == true)
            yield return "A server is still loading its data: wait for it.";
    }

    // A cluster has database 0 only, before Valkey 9.
    private IEnumerable<string> Databases()
    {
        if (source is null)
            yield break;
        var map = DatabaseMap.Parse(plan.Options.Databases);
        var filter = new EntryFilter(plan.Options.Filter, new CommandTable());
        var foreign = source.Databases.Select(one => one.Database).Where(plan.Options.Scan.Takes)
            .Where(filter.PassesDatabase).Where(database => map.GetValueOrDefault(database, database) != 0).ToList();
        foreach (var problem in MissingDatabases(foreign, map))
            yield return problem;
    }

    private IEnumerable<string> MissingDatabases(List<int> databases, IReadOnlyDictionary<int, int> map)
    {
        using var control = target.Target.OpenControl();
        foreach (var database in databases)
        {
            var number = map.GetValueOrDefault(database, database).ToString(CultureInfo.InvariantCulture);
            if (control.Request("SELECT", number) is not { IsError: true } refusal)
                continue;
            if (refusal.Text.StartsWith("NOPERM", StringComparison.Ordinal))
            {
                // It is told with the other rights where the user may ask for these.
                var user = UserOf(control, target);
                if (!IsForbidden(control, user, ["SELECT", "0"]))
                    yield return Forbidden(target, user, $"SELECT {number}", SyncRights.Target);
                yield break;
            }

            yield return $"--destination {target.Target.Name} has no database {number} ({refusal.Text}): map it "
                + $"(--database-map {database}:0), leave it out (--block-database {database}), or raise its "
                + $"setting {(target.IsCluster ? "cluster-databases (from Valkey 9)" : "databases")}.";
        }
    }

    private IEnumerable<string> Rights()
    {
        string[][] reading = plan.Verb == "scan"
            ? [["SCAN", "0"], ["DUMP", "k"], ["SELECT", "0"], ["TIME"], .. plan.Options.Scan.Follows ? Following : []]
            : [["PSYNC", "?", "-1"], ["REPLCONF", "ACK", "0"], ["PING"]];
        var rules = plan.Verb == "scan"
            ? SyncRights.Scan + (plan.Options.Scan.Follows ? SyncRights.Follow : string.Empty)
            : SyncRights.Replica;
        return [
            .. source is null ? [] : RightsProblems(source, reading, rules),
            .. RightsProblems(
                target, plan.Options.EmptiesDestination ? [.. Writing, ["FLUSHALL"]] : Writing, SyncRights.Target),
        ];
    }

    public static List<string> RightsProblems(TargetServer server, string[][] commands, string rules)
    {
        using var control = server.Target.OpenControl();
        var user = UserOf(control, server);
        // Only INFO says which versions of values it knows.
        var forbidden = server.Facts.UnavailableBecause is null
            ? string.Join(", ", commands.Where(one => IsForbidden(control, user, one)).Select(one => one[0]))
            : "INFO";
        return forbidden.Length == 0 ? [] : [Forbidden(server, user, forbidden, rules)];
    }

    private static string Forbidden(TargetServer server, string user, string commands, string rules)
    {
        var all = server.IsCluster ? $"{rules} {SyncRights.Cluster}" : rules;
        return $"{server.Target.Name}: user {user} may not use {commands}; to allow all that is needed, type there: "
            + $"ACL SETUSER {user} {all}";
    }

    private static string UserOf(RedisConnection control, TargetServer server) =>
        control.Request("ACL", "WHOAMI") is { IsError: false } answer
            ? answer.Text
            : server.Target.Endpoint.User ?? "default";

    // Whoever may not ask, or asks a server that does not know of it, finds out by the first command itself.
    private static bool IsForbidden(RedisConnection control, string user, string[] command) =>
        control.Request(["ACL", "DRYRUN", user, .. command]) is { IsError: false, Text: not "OK" } answer
            && (answer.Text.Contains("command", StringComparison.Ordinal)
                || answer.Text.Contains("channel", StringComparison.Ordinal));

    private IEnumerable<string> Contents()
    {
        if (plan.Options.EmptiesDestination || plan.Options.OnExisting != ExistingKeys.Panic)
            yield break;
        if (target.CountKeys() is > 0 and var keys)
        {
            yield return $"--destination {target.Target.Name} is not empty (keys: {keys}), and a key that is there "
                + "ends the run. Where they are what a run left that was killed before its checkpoint, begin again "
                + "with --empty-destination; otherwise empty it, or give --on-existing rewrite or skip.";
        }
    }

    private IEnumerable<string> Memory()
    {
        if (source is null)
            yield break;
        var most = Number(target, "maxmemory");
        var used = Number(source, "used_memory_dataset");
        if (most > 0 && !target.IsCluster && !source.IsCluster && used > most - Number(target, "used_memory")
            && target.Facts.Fields.GetValueOrDefault("maxmemory_policy") == "noeviction"
            && !plan.Options.Filter.FiltersKeys && !plan.Options.Filter.FiltersDatabases)
        {
            yield return $"--destination {target.Target.Name} has maxmemory {most} bytes, and the source's data takes "
                + $"{used}: raise maxmemory, or filter.";
        }
    }

    private static long Number(TargetServer server, string field) =>
        long.TryParse(server.Facts.Fields.GetValueOrDefault(field), out var number) ? number : 0;
}

// As ACL SETUSER takes them.
internal static class SyncRights
{
    public const string Replica = "+psync +replconf +ping +info";
    public const string Scan = "~* +scan +dump +pttl +pexpiretime +type +object +select +time +info";
    public const string Follow = $" &{KeyChanges.Pattern} +psubscribe +ping +config|get";

    // Without CLIENT a run ends only where a connection was given up.
    public const string Target =
        "~* &* +@write +pfcount +publish +spublish +exists +hget +hgetall +select +multi +exec +function|load "
            + "+script|load +info +command +client|id +client|kill";

    public const string Verify = "~* +@read +select +info +command";

    public const string Scripts = "+eval +evalsha +fcall";

    public const string Cluster = "+cluster|slots +cluster|shards +cluster|nodes +cluster|info +asking";
}
