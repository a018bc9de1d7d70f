using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Sources;
using RedisLatency.Replication.Targets;

namespace RedisLatency.Replication.Sync;

/// <summary>Looks before anything is written whether both servers are what they should be.</summary>
internal sealed class Preflight(TargetServer? source, TargetServer target, SyncPlan plan)
{
    /// <exception cref="RunRefusedException">They are not; the message says what to do about each.</exception>
    public void Require()
    {
        var problems = Roles().Concat(Databases()).Concat(Rights()).Concat(Contents()).Concat(Memory()).ToList();
        if (problems.Count > 0)
            throw new RunRefusedException(string.Join(" ", problems));
    }

    private IEnumerable<string> Roles()
    {
        if (source?.Facts.RunId is { } id && id == target.Facts.RunId)
            yield return $"--source and --destination {target.Target.Name} are one server: give two.";
        if (target.Facts.Role == "slave" && !target.IsCluster)
        {
            yield return $"--destination {target.Target.Name} is a replica, which takes no writes: give its primary, "
                + $"{target.Facts.Fields.GetValueOrDefault("master_host")}:"
                + $"{target.Facts.Fields.GetValueOrDefault("master_port")}.";
        }

        if (source?.Facts.IsLoading == true || target.Facts.IsLoading == true)
            yield return "A server is still loading its data: wait for it.";
    }

    // A cluster has database 0 only.
    private IEnumerable<string> Databases()
    {
        if (source is null)
            yield break;
        var map = DatabaseMap.Parse(plan.Options.Databases);
        var filter = new EntryFilter(plan.Options.Filter, new CommandTable());
        var scan = new ScanPlan { Databases = plan.Options.Scan.Databases };
        var foreign = ScanReader.DatabasesOf(source, scan).Select(one => one.Database).Where(filter.PassesDatabase)
            .Where(database => map.GetValueOrDefault(database, database) != 0).ToList();
        if (!target.IsCluster)
        {
            foreach (var problem in MissingDatabases(foreign, map))
                yield return problem;
            yield break;
        }

        if (foreign.Count > 0)
        {
            yield return $"--destination {target.Target.Name} is a cluster, which has database 0 only, and the source "
                + $"has keys in {string.Join(", ", foreign)}: map them (--database-map {foreign[0]}:0) or "
                + $"leave them out (--block-database {foreign[0]}).";
        }
    }

    private IEnumerable<string> MissingDatabases(List<int> databases, IReadOnlyDictionary<int, int> map)
    {
        using var control = target.Target.OpenControl();
        foreach (var database in databases)
        {
            var number = map.GetValueOrDefault(database, database).ToString(CultureInfo.InvariantCulture);
            if (control.Request("SELECT", number) is { IsError: true } refusal)
            {
                yield return $"--destination {target.Target.Name} has no database {number} ({refusal.Text}): map it "
                    + $"(--database-map {database}:0), leave it out (--block-database {database}), or raise its "
                    + "setting databases.";
            }
        }
    }

    private IEnumerable<string> Rights()
    {
        foreach (var problem in source is null ? [] : plan.Verb == "scan"
            ? RightsProblems(source, [["SCAN", "0"], ["DUMP", "k"], ["PTTL", "k"]], "+scan +dump +pttl")
            : RightsProblems(source, [["PSYNC", "?", "-1"], ["REPLCONF", "ACK", "0"]], "+psync +replconf +ping"))
        {
            yield return problem;
        }

        string[][] writing = [["RESTORE", "k", "0", "v"], ["DEL", "k"]];
        foreach (var problem in RightsProblems(target, writing, "+restore +del +select"))
            yield return problem;
    }

    private static List<string> RightsProblems(TargetServer server, string[][] commands, string rules)
    {
        using var control = server.Target.OpenControl();
        var user = control.Request("ACL", "WHOAMI");
        if (user.IsError || server.RedisVersion.Major < 7)
            return [];
        var problems = new List<string>();
        foreach (var command in commands)
        {
            var answer = control.Request(["ACL", "DRYRUN", user.Text, .. command]);
            // Who may not ask finds out by the first command itself.
            if (!answer.IsError && answer.Text != "OK" && answer.Text.Contains("command", StringComparison.Ordinal))
            {
                problems.Add($"{server.Target.Name}: user {user.Text} may not use {command[0]}; to allow it: "
                    + $"ACL SETUSER {user.Text} {rules}");
            }
        }

        return problems;
    }

    private IEnumerable<string> Contents()
    {
        var keys = target.IsCluster ? 0 : ScanReader.DatabasesOf(target, new ScanPlan()).Sum(one => one.Keys);
        if (keys > 0 && !plan.Options.EmptiesDestination && plan.Options.OnExisting == ExistingKeys.Panic)
        {
            yield return $"--destination {target.Target.Name} has {keys} keys, and a key that is there ends the run: "
                + "empty it, or give --on-existing rewrite or skip, or --empty-destination.";
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
