using System.Globalization;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.Output;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads;

/// <summary>The verb <c>check</c>: everything that a run needs, a line each; nothing is measured or written.</summary>
internal static class WorkloadsCheck
{
    public static int Run(CommandRun<WorkloadOptions> command)
    {
        var job = JobPlanning.LoadAndRun(command);
        var phase = job.Phases[^1];
        return ServiceCheck.Run("workload", output =>
        {
            if (job.IsSelfContained)
                output.WriteLine("ok    no --redis given: a run would use the in-process server");
            output.WriteLine($"ok    a run would be {phase.Describe()}, by {CountOf(phase.Threads, "thread")}");
            var isGood = true;
            foreach (var target in job.Targets)
                isGood &= ServiceCheck.Ask(output, () => Check(job, target, phase, output));
            return isGood & FleetCheck.Run(job.Fleet, output);
        });
    }

    private static bool Check(WorkloadJob job, ResolvedTarget target, PhasePlan phase, StandardOutput output)
    {
        using var control = target.OpenControl();
        var facts = ServiceCheck.WriteReached(target, control, output);
        CheckDriver(target, output);
        ReportServers(job, target, phase, output);
        var isGood = MayHaveClients(facts, WantedOf(target, phase), output);
        isGood &= HasRights(control, phase, output);
        ReportMemory(facts, phase, output);
        TellKeys(control, phase, output);
        return isGood & HasNoForeignKeys(job, target, phase, output);
    }

    private static void CheckDriver(ResolvedTarget target, StandardOutput output)
    {
        if (target.Driver != DriverKind.StackExchange)
            return;
        using var client = ApplicationClient.Open([target.Endpoint], target.Connection);
        output.WriteLine($"ok    StackExchange.Redis {ApplicationClient.Version} reaches it too");
    }

    // Whether the servers are there that a run would send to, and as many connections allowed.
    private static void ReportServers(WorkloadJob job, ResolvedTarget target, PhasePlan phase, StandardOutput output)
    {
        if (target.Driver != DriverKind.Raw)
            return;
        var plan = phase.At(job.Targets, job.Running);
        using var source = ServerSource.Open(plan);
        var shards = source?.Current.Shards ?? [];
        var replicas = shards.Sum(shard => shard.Replicas.Count);
        var read = plan.ReadFrom == ReadPreference.Primary ? 0 : replicas;
        OpenFileLimit.Require(phase.Connections * Math.Max(1, shards.Count + read));
        if (source is null)
            return;
        var from = plan.ReadFrom switch
        {
            ReadPreference.Replica => "replicas",
            ReadPreference.Any => "both",
            _ => "primaries",
        };
        output.WriteLine($"ok    primaries: {Quantity.Count(shards.Count)}, replicas: {Quantity.Count(replicas)}; "
            + $"reads would go to {from}");
    }

    // A multiplexer has a connection for commands and one to subscribe on, and one is there for each thread.
    private static int WantedOf(ResolvedTarget target, PhasePlan phase) =>
        target.Driver == DriverKind.StackExchange ? 2 * phase.Threads : phase.Connections;

    private static bool MayHaveClients(ServerFacts facts, int wanted, StandardOutput output)
    {
        if (Number(facts, "maxclients") is not { } most || Number(facts, "connected_clients") is not { } now)
            return true;
        var isEnough = most - now >= wanted;
        output.WriteLine($"{(isEnough ? "ok  " : "FAIL")}  {Quantity.Count(now)} of {Quantity.Count(most)} clients "
            + $"(maxclients) are connected, {Quantity.Count(wanted)} more are wanted");
        return isEnough;
    }

    // ACL DRYRUN, from Redis 7 on, says whether a command would be allowed and executes nothing.
    private static bool HasRights(RedisConnection control, PhasePlan phase, StandardOutput output)
    {
        var user = control.Request("ACL", "WHOAMI");
        if (user.IsError)
        {
            output.WriteLine("note  rights are not known: the server does not name our user");
            return true;
        }

        var commands = phase.Mix.Operations.SelectMany(operation => operation.Command.Text.Split(';', ','))
            .Select(text => text.Replace(" then ", string.Empty, StringComparison.Ordinal).Trim())
            .Distinct()
            .Select(text => text.Split(' '));
        foreach (var words in commands.Where(words => words[0].All(char.IsAsciiLetterUpper)))
        {
            var filled = words.Select(word => word.Replace("__key__", "user1", StringComparison.Ordinal));
            var reply = control.Request(["ACL", "DRYRUN", user.Text, .. filled]);
            if (reply.IsError)
            {
                output.WriteLine($"note  rights are not known: {reply.Text}");
                return true;
            }

            if (reply.Text != "OK")
            {
                output.WriteLine($"FAIL  {reply.Text}");
                return false;
            }
        }

        output.WriteLine($"ok    user {user.Text} may send every operation");
        return true;
    }

    private static void ReportMemory(ServerFacts facts, PhasePlan phase, StandardOutput output)
    {
        // Measured with redis-server 7.0: a key of 23 bytes takes about 90 bytes beside its value.
        const long OfKey = 90;
        var wanted = phase.Records * (OfKey + ((phase.Size.Minimum + (double)phase.Size.Maximum) / 2));
        var most = Number(facts, "maxmemory");
        if (most > 0 && wanted > most)
        {
            output.WriteLine($"note  {Quantity.Count(phase.Records)} records take about {Amount(wanted)}, and the "
                + $"server may use {Amount(most.Value)} (maxmemory): it will refuse or evict some");
        }
        else
        {
            output.WriteLine($"ok    {Quantity.Count(phase.Records)} records take about {Amount(wanted)}");
        }
    }

    private static void TellKeys(RedisConnection control, PhasePlan phase, StandardOutput output)
    {
        if (control.Request("DBSIZE") is not { IsError: false } reply)
            return;
        output.WriteLine(reply.Number >= phase.Records
            ? $"ok    the database has {Quantity.Count(reply.Number)} keys"
            : $"note  the database has {Quantity.Count(reply.Number)} keys and the run expects "
                + $"{Quantity.Count(phase.Records)}: load them first");
    }

    private static bool HasNoForeignKeys(WorkloadJob job, ResolvedTarget target, PhasePlan phase, StandardOutput output)
    {
        var ranges = LoadedKeys.RangesOf(phase).ToList();
        if (ranges.Count == 0 || job.Running.Overwrite)
            return true;
        foreach (var servers in KeyServers.Of([target]))
        {
            using (servers)
            {
                if (LoadedKeys.Problem(servers, ranges, out _) is not { } problem)
                    continue;
                output.WriteLine($"FAIL  {problem}; --overwrite writes all the same");
                return false;
            }
        }

        output.WriteLine("ok    the keys that would be written are not there, or were written by this tool");
        return true;
    }

    private static string Amount(double bytes) => bytes < 1 << 30
        ? string.Create(CultureInfo.InvariantCulture, $"{Math.Ceiling(bytes / (1 << 20)):0} MiB")
        : string.Create(CultureInfo.InvariantCulture, $"{bytes / (1 << 30):#,0.##} GiB");

    private static string CountOf(int count, string what) =>
        $"{Quantity.Count(count)} {what}{(count == 1 ? string.Empty : "s")}";

    private static long? Number(ServerFacts facts, string field) =>
        long.TryParse(
            facts.Fields.GetValueOrDefault(field), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
}
