using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Options;

internal static class PhaseCatalogue
{
    private const long Most = 1_000_000_000_000_000_000;
    private const int MostConnections = 1_000_000;

    private static readonly string[] OfLoad =
    [
        "--records", "--total-size", "--first-record", "--key-form", "--value-size", "--value", "--expiry", "--fields",
        "--field-prefix", "--index", "--threads", "--connections", "--clients", "--idle-connections",
        "--reconnect-every", "--pipeline", "--rate", "--arrival", "--max-in-flight", "--on-error",
        "--max-retries", "--seed",
    ];

    public static OptionCatalogue<PhaseOptions> ForRun() => new OptionCatalogue<PhaseOptions>("Workload")
        .Group("Operations")
        .Add("--workload -w", o => o.Workload, Syntax.Choice<YcsbWorkload>().Optional(),
            "The operations and keys of a core workload of YCSB, as string commands", shownDefault: "a")
        .Add("--mix", o => o.Mix, MixSyntax.Create(),
            "Operations with weights instead, for instance get=9,set=1 or mget:10=1,incr=1")
        .AddList("--command", o => o.Commands, CommandSyntax.Create(),
            "A command line with its weight, with __key__, __data__, __rand_int__, __field__, __hash__, __tag__ or "
            + "__range:1..9__ in it",
            mask: CommandSyntax.Mask)
        .Add("--replay", o => o.Replay, Syntax.OptionalText("FILE", MonitorFile.Problem),
            "Send the commands that MONITOR printed into a file, one after the other",
            shownDefault: "none")
        .Add("--literal-numbers", o => o.LiteralNumbers, Syntax.Flag,
            "Send __rand_int__ as it stands, as redis-benchmark does without -r")
        .Add("--mix-order", o => o.MixOrder, Syntax.Choice<MixOrder>(),
            "Whether operations are drawn by weight or come in turn")
        .Add("--operations -n", o => o.Operations, Syntax.Count(1, Most, "operations").Optional(),
            "How many operations to measure, over all threads")
        .Add("--operations-each", o => o.OperationsEach, Syntax.Count(1, Most, "operations").Optional(),
            "How many operations to measure of each connection, instead", shownDefault: "as --operations says")
        .Add("--duration -d", o => o.Duration, Syntax.Duration(TimeSpan.FromMilliseconds(1)).Optional(),
            "How long to measure; with --operations whichever ends first",
            shownDefault: "10s, or as long as --operations take")
        .Add("--warmup", o => o.WarmUp, Syntax.Duration(most: TimeSpan.FromDays(1)).Optional(),
            "How long to warm up, at the first rate of --rate; not measured", key: "WarmUp", shownDefault: "1s")
        .Group("Records")
        .Add("--records", o => o.Records, Syntax.Count(1, Most, "records").Optional(),
            "Number of records", shownDefault: "100k")
        .Add("--total-size", o => o.TotalSize, Syntax.Size(1, long.MaxValue).Optional(),
            "Total size of all values, for instance 8GiB, instead of a number of records")
        .Add("--first-record", o => o.FirstRecord, Syntax.Count(0, Most), "The number of the first record")
        .Add("--keys", o => o.Keys, Syntax.OptionalText("DISTRIBUTION", KeyDistribution.Problem),
            "How operations spread over records: uniform, zipfian:0.99, scrambled:0.99, ycsb, latest, "
            + "newest:0.99, hotspot:0.2,0.8, exponential:95,0.857, gaussian, sequential, partitioned (by thread), "
            + "sequential-each, partitioned-each (by connection)",
            shownDefault: "the workload's; uniform with --mix and --command")
        .AddList("--operation-keys", o => o.OperationKeys, OperationKeysSyntax.Create(),
            "The distribution of one operation, for instance set=sequential")
        .Add("--key-streams", o => o.KeyStreams, Syntax.Choice<KeyStreams>(),
            "Whether each operation of a mix draws its keys for itself, or all take turns in one sequence")
        .Add("--key-form", o => o.KeyForm, Syntax.Text("FORM", Workloads.Keys.KeyForm.Problem),
            "How keys are written: ycsb, ycsb-ordered, memtier, redis-benchmark, 'prefix:{0:D12}', "
            + "{0:T} for a cluster's tag, or literal:KEY")
        .Add("--value-size", o => o.ValueSize, Syntax.Text("SIZE", Values.ValueSize.Problem),
            "Bytes of a value: 100, 64..4096, 64..4096/by-key, 1..1000/zipfian, 32:50,1024:1 or histogram:FILE")
        .Add("--value", o => o.Value, Syntax.OptionalText("CONTENT", ValueContent.Problem),
            "What a value contains: constant, redis-benchmark, ycsb, random, compressible:RATIO or deterministic",
            shownDefault: "ycsb; deterministic with --verify")
        .Add("--expiry", o => o.Expiry, Syntax.Range(Syntax.Duration(TimeSpan.FromMilliseconds(1))).Optional(),
            "How long written keys live, for instance 1h or 10s..60s (SET with PX)", shownDefault: "for ever")
        .Add("--fields", o => o.Fields, Syntax.SmallCount(1, 10_000, "fields").Optional(),
            "Records are hashes of so many fields, each with a value of its own, as YCSB's", shownDefault: "strings")
        .Add("--field-prefix", o => o.FieldPrefix, Syntax.Text("TEXT", RecordForm.PrefixProblem),
            "What the names of fields begin with")
        .Add("--read-fields", o => o.ReadFields, Syntax.Choice<FieldChoice>(),
            "Whether a read takes all fields (HGETALL) or one (HMGET)")
        .Add("--write-fields", o => o.WriteFields, Syntax.Choice<FieldChoice>(),
            "Whether an update writes one field or all")
        .Add("--index", o => o.Index, Syntax.OptionalText("KEY", RecordForm.IndexProblem),
            "A sorted set that inserts add their key to and scans follow, as YCSB's _indices", shownDefault: "none")
        .Add("--verify", o => o.Verify, Syntax.Flag,
            "Compare what GET returns with what was loaded or written; a difference, or a loaded value that is "
            + "missing, ends the run with 99")
        .Group("Load")
        .Add("--threads -t", o => o.Threads, Syntax.SmallCount(1, 1024, "threads").Optional(),
            "Threads, each with its own event loop and connections",
            shownDefault: "1; with --clients as many as half of the processors share them evenly")
        .Add("--connections -c", o => o.Connections, Syntax.SmallCount(1, MostConnections, "connections").Optional(),
            "Connections of each thread", shownDefault: "50")
        .Add("--clients", o => o.Clients, Syntax.SmallCount(1, MostConnections, "connections").Optional(),
            "Connections of all threads together, which YCSB calls threads, instead of those of each")
        .Add("--idle-connections", o => o.IdleConnections, Syntax.SmallCount(0, MostConnections, "connections"),
            "Connections that are opened beside the others and stay idle")
        .Add("--reconnect-every", o => o.ReconnectEvery, Syntax.SmallCount(1, int.MaxValue, "requests").Optional(),
            "Open a connection again after so many requests of it; 1 is one for each request", shownDefault: "never")
        .Add("--pipeline -P", o => o.Pipeline, Syntax.SmallCount(1, 10_000, "operations"),
            "Operations in flight on each connection, without --rate")
        .Add("--rate", o => o.Rate, RateSyntax.Create(),
            "Operations per second over all threads, on a fixed schedule; steps 10k:30s,20k and ramps "
            + "1k..50k:2m; 0 sends each operation when a reply has come", shownDefault: "0")
        .Add("--find-max-rate", o => o.FindMaxRate, LatencyLimit.Create(),
            "Find the highest rate held under a latency limit, for instance 'p99<1ms', by steps of --duration each",
            shownDefault: "no search")
        .Add("--arrival", o => o.Arrival, ArrivalSyntax.Create(), "How the times of --rate are spread")
        .Add("--max-in-flight", o => o.MaxInFlight, Syntax.SmallCount(1, 10_000, "operations").Optional(),
            "With --rate: how many operations of a connection may be in flight; further ones wait",
            shownDefault: "16")
        .Add("--on-error", o => o.OnError, Syntax.Choice<ErrorPolicy>(),
            "What to do on an error reply: count it, stop, or send the operation again where that may help")
        .Add("--max-retries", o => o.MaxRetries, Syntax.SmallCount(0, 1_000_000),
            "How often an operation is sent again with --on-error retry")
        .Add("--seed", o => o.Seed, Syntax.SmallCount(0, int.MaxValue), "Seed of keys, values and Poisson times")
        .Rule(["--workload", "--mix"], o => o.Workload is not null && o.Mix.Count > 0
            ? "a workload is a mix: use only one of them"
            : null)
        .Rule(["--workload", "--replay"], o => o.Workload is not null && o.Replay is not null
            ? "a workload is a mix: only one of them can be meant"
            : null)
        .Rule(["--workload", "--command"], o => o.Workload is not null && o.Commands.Count > 0
            ? "a workload is a mix: use only one of them"
            : null)
        .Rule(["--mix-order", "--mix", "--command"], o => o.MixOrder == MixOrder.Cyclic
            && o.Mix.Select(part => part.Weight).Concat(o.Commands.Select(command => command.Weight))
                .Any(weight => weight != Math.Truncate(weight) || weight > 10_000)
            ? "operations that come in turn need whole weights up to 10,000"
            : null)
        .Rule(["--verify", "--value"], o => o is { Verify: true, Value: { } value }
            && !ValueContent.Parse(value).Create(1).CanVerify
            ? $"{value} values cannot be told apart; deterministic ones can"
            : null)
        .Rule(["--verify", "--expiry"], o => o is { Verify: true, Expiry: not null }
            ? "a key that has expired would count as a fault of the server"
            : null)
        .Rule(["--operations", "--operations-each"], o => o.Operations is not null && o.OperationsEach is not null
            ? "--operations-each are each connection's, --operations all of them: use only one of them"
            : null)
        .Rule(["--fields", "--mix", "--workload"], PhaseMix.Problem)
        .Rule(["--fields", "--expiry"], o => o.Fields is not null && o.Expiry is not null
            ? "hashes are written without an expiry"
            : null)
        .Rule(["--fields", "--field-prefix", "--read-fields", "--write-fields", "--index"], o => o.Fields is null
            && (o.Index is not null || o.FieldPrefix != "field" || o.ReadFields != FieldChoice.All
                || o.WriteFields != FieldChoice.One)
            ? "records have fields with --fields only"
            : null)
        .Rule(["--find-max-rate", "--rate"], o => o.FindMaxRate is not null && o.Rate.Count > 0
            ? "the search chooses the rates itself"
            : null)
        .Rule(["--find-max-rate", "--operations", "--operations-each"], o => o.FindMaxRate is not null
            && (o.Operations ?? o.OperationsEach) is not null
            ? "the steps of the search go by --duration"
            : null)
        .Rule(["--find-max-rate", "--pipeline"], o => o.FindMaxRate is not null && o.Pipeline > 1
            ? "use --max-in-flight to limit what is in flight"
            : null)
        .Rule(["--find-max-rate", "--duration"], o => o is { FindMaxRate: { } limit, Duration: { } length }
            && (length < SearchPlan.LeastStep
                || length.TotalNanoseconds < SearchPlan.LimitsPerStep * limit.Nanoseconds)
            ? $"a step takes at least {SearchPlan.LeastStep.TotalSeconds:0} s, and {SearchPlan.LimitsPerStep} times "
                + "the limit: in less a slight overload does not show"
            : null)
        .Rule(["--records", "--total-size"], o => o.Records is not null && o.TotalSize is not null
            ? "use only one of them"
            : null)
        .Rule(["--clients", "--connections"], o => o.Clients is not null && o.Connections is not null
            ? "--connections are each thread's, --clients all of them: use only one of them"
            : null)
        .Rule(["--clients", "--threads"], o => o is { Clients: { } clients, Threads: { } threads }
            && clients % threads != 0
            ? $"{clients} connections cannot be shared evenly by {threads} threads"
            : null)
        .Rule(["--rate", "--pipeline"], o => o.Rate.Count > 0 && o.Pipeline > 1
            ? "with --rate, use --max-in-flight to limit what is in flight"
            : null)
        .Rule(["--rate", "--max-in-flight"], o => o is { Rate.Count: 0, FindMaxRate: null, MaxInFlight: not null }
            ? "without --rate, use --pipeline to limit what is in flight"
            : null)
        .Rule(["--rate", "--arrival"], o => o is { Rate.Count: 0, FindMaxRate: null }
            && o.Arrival.Kind != ArrivalKind.Uniform
            ? "it needs --rate"
            : null);

    public static OptionCatalogue<PhaseOptions> ForLoad() => ForRun().Only(OfLoad);

    /// <summary>Also what the command line has for the server, where phases differ in it.</summary>
    public static OptionCatalogue<PhaseOptions> ForScenario(bool isLoad) => (isLoad ? ForLoad() : ForRun())
        .Add("--command-timeout", o => o.CommandTimeout,
            Syntax.Duration(TimeSpan.FromMilliseconds(1), TimeSpan.FromHours(1)).Optional(),
            "The longest wait for the reply to a command; --command-timeout of the command line wins",
            shownDefault: "5s");
}

/// <summary>Reads 50k, steps (10k:30s,20k:30s,40k) and ramps (1k..50k:2m); 0 is the closed loop.</summary>
internal static class RateSyntax
{
    private static readonly ValueSyntax<double> Rate = Syntax.Rate(100_000_000, "operations per second");
    private static readonly ValueSyntax<TimeSpan> Length = Syntax.Duration(TimeSpan.FromMilliseconds(1));

    public static ValueSyntax<IReadOnlyList<RateStep>> Create() => new("RATE|FROM..TO:DURATION,…", Read, Write)
    { Limits = Rate.Limits };

    private static ValueReading<IReadOnlyList<RateStep>> Read(string text)
    {
        var texts = text.Split(',', StringSplitOptions.TrimEntries);
        var steps = new List<RateStep>();
        for (var i = 0; i < texts.Length; i++)
        {
            var step = ReadStep(texts[i], isLast: i == texts.Length - 1, out var problem);
            if (step is null)
                return ValueReading.Wrong<IReadOnlyList<RateStep>>(problem);
            steps.Add(step);
        }

        if (steps is [{ To: 0, From: 0 }])
            return ValueReading.Of<IReadOnlyList<RateStep>>([]);
        return steps[^1].To > 0
            ? ValueReading.Of<IReadOnlyList<RateStep>>(steps)
            : ValueReading.Wrong<IReadOnlyList<RateStep>>("the last rate must be above 0, or the run would never end");
    }

    /// <returns>Null where there is a problem, which then is told.</returns>
    private static RateStep? ReadStep(string text, bool isLast, out string problem)
    {
        problem = string.Empty;
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var rates = (colon < 0 ? text : text[..colon]).Split("..");
        var from = Rate.Read(rates[0]);
        var to = rates.Length > 1 ? Rate.Read(rates[1]) : from;
        var length = colon < 0 ? ValueReading.Of(TimeSpan.Zero) : Length.Read(text[(colon + 1)..]);
        if (rates.Length > 2 || (from.Problem ?? to.Problem) is not null)
            problem = from.Problem ?? to.Problem ?? "a ramp has two ends: 1k..50k:2m";
        else if (colon < 0 && (!isLast || rates.Length > 1))
            problem = $"{text}: how long it lasts is needed, for instance {text}:30s";
        else if (length.Problem is { } wrong)
            problem = wrong;
        else
            return new RateStep(from.Value, to.Value, length.Value);
        return null;
    }

    private static string? Write(IReadOnlyList<RateStep> steps) => steps.Count == 0
        ? null
        : string.Join(',', steps.Select(Write));

    private static string Write(RateStep step)
    {
        var rate = step.From == step.To ? Rate.Write(step.From) : $"{Rate.Write(step.From)}..{Rate.Write(step.To)}";
        return step.Duration == TimeSpan.Zero ? rate! : $"{rate}:{Length.Write(step.Duration)}";
    }
}

/// <summary>Reads <c>uniform</c>, <c>poisson</c>, <c>burst</c> or <c>burst:100</c>.</summary>
internal static class ArrivalSyntax
{
    private static readonly ValueSyntax<int> Size = Syntax.SmallCount(1, 1_000_000, "operations");

    public static ValueSyntax<ArrivalChoice> Create() => new("uniform|poisson|burst:COUNT", Read, Write);

    private static ValueReading<ArrivalChoice> Read(string text)
    {
        switch (text)
        {
            case "uniform":
                return ValueReading.Of(ArrivalChoice.Uniform);
            case "poisson":
                return ValueReading.Of(new ArrivalChoice(ArrivalKind.Poisson));
            case "burst":
                return ValueReading.Of(new ArrivalChoice(ArrivalKind.Burst));
        }

        if (!text.StartsWith("burst:", StringComparison.Ordinal))
            return ValueReading.Wrong<ArrivalChoice>("one of uniform, poisson, burst, burst:COUNT is needed");
        var size = Size.Read(text[6..]);
        return size.Problem is { } problem
            ? ValueReading.Wrong<ArrivalChoice>(problem)
            : ValueReading.Of(new ArrivalChoice(ArrivalKind.Burst, size.Value));
    }

    private static string Write(ArrivalChoice choice) => choice.Kind switch
    {
        ArrivalKind.Burst => string.Create(CultureInfo.InvariantCulture, $"burst:{choice.BurstSize}"),
        _ => choice.Kind.ToString().ToLowerInvariant(),
    };
}
