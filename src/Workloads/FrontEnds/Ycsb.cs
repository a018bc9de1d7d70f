using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>YCSB's command line as a phase of the engine.</summary>
internal static class Ycsb
{
    private const int NoRecords = 2_147_483_647;
    private const string Index = "_indices";

    private static readonly string[] Words = ["load", "run"];

    public static ForeignCommand Command { get; } = new ForeignCommand<YcsbOptions>(
        "ycsb",
        "Takes YCSB's options and properties, prints what it does.",
        "load|run redis [options]",
        OptionDialect.Mixed,
        YcsbOptions.CreateCatalogue,
        Run)
    {
        Manual = FrontEnd.Manual,
        Properties = () => YcsbProperties.Catalogue.Options.Select(option => option.Description),
    };

    private static int Run(ForeignCommandLine<YcsbOptions> line, CommandSurroundings around)
    {
        var properties = PropertiesOf(line.Options, line.Rest);
        var phase = properties.IsLoad ? LoadOf(properties) : RunOf(properties);
        if (phase.Keys.Problem(phase.Space) is not null)
        {
            throw new ConfigurationException("recordcount, requestdistribution: zipfian draws again while it hits a "
                + "record that is only expected; with so few of them it would hardly ever end");
        }

        var report = new YcsbReport(properties);
        return report.Run(
            properties.Target, [phase], properties.IsCluster ? ClusterUse.On : ClusterUse.Off, around);
    }

    private static YcsbProperties PropertiesOf(YcsbOptions options, IReadOnlyList<string> words)
    {
        var problems = new List<string>();
        var properties = new YcsbProperties();
        properties.Target.Options.CommandTimeout = TimeSpan.FromSeconds(2);
        var all = new Dictionary<string, string>();
        foreach (var (name, value) in options.Files.SelectMany(YcsbPropertyFile.Read))
            all[name] = value;
        foreach (var text in options.Properties)
        {
            if (text.Split('=', 2) is [{ Length: > 0 } name, var value])
                all[name] = value;
            else
                problems.Add($"-p {text}: NAME=VALUE is needed");
        }

        problems.AddRange(all.Select(one => Take(properties, one.Key, one.Value)).OfType<string>());
        problems.AddRange(Decide(properties, options, words));
        problems.AddRange(Together(properties));
        return problems.Count == 0 ? properties : throw new ConfigurationException(problems);
    }

    private static string? Take(YcsbProperties properties, string name, string value) =>
        YcsbProperties.Catalogue.Options.FirstOrDefault(one => one.Description.Name == name) is { } option
            ? option.Take(properties, value, $"-p {name}", $"-p {name}={value}")
            : $"-p {name}: neither YCSB's core nor its Redis binding has such a property";

    // What is typed by a name of its own wins.
    private static IEnumerable<string> Decide(
        YcsbProperties properties, YcsbOptions options, IReadOnlyList<string> words)
    {
        properties.Threads = options.Threads ?? properties.Threads;
        properties.Rate = options.Rate ?? properties.Rate;
        properties.ShowsStatus |= options.ShowsStatus;
        properties.Label = options.Label.Length > 0 ? options.Label : properties.Label;
        properties.IsLoad = words is ["load", ..] || (options.IsLoad ?? properties.IsLoad);
        if (words is [] && options.IsLoad is null)
            yield return "load or run is needed, then redis";
        else if (words is [var verb, ..] && !Words.Contains(verb))
            yield return $"{verb}: one of {string.Join(", ", Words)} is needed";
        if (words is [_, var database, ..] && database != "redis")
            yield return $"{database}: the only database is redis";
        foreach (var word in words.Skip(2))
            yield return $"unexpected word '{word}'";
    }

    private static IEnumerable<string> Together(YcsbProperties properties)
    {
        if (properties.Target.Host.Length == 0)
            yield return "redis.host is needed: -p redis.host=HOST";
        if (properties is { IsLoad: true, Records: null or 0, Inserts: null or 0 })
            yield return "recordcount is needed: -p recordcount=1000";
        if (properties is { IsLoad: false, Operations: null or 0, MaximumSeconds: 0 })
            yield return "operationcount or maxexecutiontime is needed: -p operationcount=1000";
        if (properties.Inserts > 0 && properties.Records > 0
            && properties.Inserts > properties.Records - properties.FirstInsert)
            yield return "insertcount: there are not so many records from insertstart on";
        if (!properties.IsLoad && properties.FirstInsert >= RecordsOf(properties))
            yield return "insertstart: a run has no records there, only those below recordcount";
        if (properties is { IsLoad: false, IsCluster: true, IsOfStrings: false, Scans: > 0 })
            yield return "scanproportion, redis.cluster: hashes of a cluster are not in one _indices to scan";
        if (properties is { IsLoad: false, Reads: 0, Updates: 0, InsertShare: 0, Scans: 0, ReadModifyWrites: 0 })
            yield return "readproportion and the others are all 0: nothing would be done";
    }

    private static PhasePlan LoadOf(YcsbProperties properties) =>
        new PhasePlan("load", isLoad: true, With(properties, options =>
        {
            options.FirstRecord = properties.FirstInsert;
            // Without insertcount as many as recordcount says, wherever they begin (Client.initDb).
            options.Records = properties.Inserts is > 0 and { } inserts ? inserts : properties.Records;
        })) with
        { Duration = MostOf(properties) };

    private static PhasePlan RunOf(YcsbProperties properties) =>
        new PhasePlan("run", isLoad: false, With(properties, options =>
        {
            options.FirstRecord = properties.FirstInsert;
            // These two go by recordcount alone (CoreWorkload.init).
            options.Records = properties.Inserts is > 0 and { } inserts
                && properties.Distribution is not ("latest" or "exponential")
                ? inserts
                : RecordsOf(properties) - properties.FirstInsert;
            options.Operations = properties.Operations is > 0 and { } operations ? operations : null;
            options.Duration = MostOf(properties);
            options.WarmUp = TimeSpan.Zero;
            options.Mix = [.. MixOf(properties)];
            options.KeyStreams = KeyStreams.Shared;
            options.Keys = KeysOf(properties);
        })) with
        { FirstInsert = RecordsOf(properties) };

    private static TimeSpan? MostOf(YcsbProperties properties) =>
        properties.MaximumSeconds > 0 ? TimeSpan.FromSeconds(properties.MaximumSeconds) : null;

    private static long RecordsOf(YcsbProperties properties) =>
        properties.Records is > 0 and { } records ? records : NoRecords;

    private static PhaseOptions With(YcsbProperties properties, Action<PhaseOptions> change)
    {
        var options = new PhaseOptions
        {
            KeyForm = string.Create(
                CultureInfo.InvariantCulture,
                $"{(properties.IsHashed ? "ycsb" : "ycsb-ordered")}:{properties.ZeroPadding}"),
            ValueSize = SizeOf(properties),
            Value = "ycsb",
            Clients = properties.Threads,
            MaxInFlight = properties.Rate > 0 ? 1 : null,
            Rate = properties.Rate > 0 ? [new RateStep(properties.Rate, properties.Rate, TimeSpan.Zero)] : [],
            OnError = properties.Retries > 0 ? ErrorPolicy.Retry : ErrorPolicy.Count,
            MaxRetries = properties.Retries,
            Seed = Random.Shared.Next(),
        };
        if (!properties.IsOfStrings)
        {
            options.Fields = properties.Fields;
            options.FieldPrefix = properties.FieldPrefix;
            options.ReadFields = properties.ReadsAllFields ? FieldChoice.All : FieldChoice.One;
            options.WriteFields = properties.WritesAllFields ? FieldChoice.All : FieldChoice.One;
            options.Index = properties.IsCluster ? null : Index;
        }

        change(options);
        return options;
    }

    private static IEnumerable<MixPart> MixOf(YcsbProperties properties)
    {
        (string Operation, double Share)[] parts =
        [
            ("read", properties.Reads), ("update", properties.Updates), ("insert", properties.InsertShare),
            (string.Create(CultureInfo.InvariantCulture, $"scan:{properties.LongestScan}"), properties.Scans),
            ("rmw", properties.ReadModifyWrites),
        ];
        return parts.Where(part => part.Share > 0).Select(part => new MixPart(part.Operation, part.Share));
    }

    private static string KeysOf(YcsbProperties properties) => properties.Distribution switch
    {
        "zipfian" => "ycsb",
        "hotspot" => string.Create(
            CultureInfo.InvariantCulture, $"hotspot:{properties.Hotspot.Data},{properties.Hotspot.Operations}"),
        "exponential" => string.Create(
            CultureInfo.InvariantCulture,
            $"exponential:{properties.Exponential.Percentile},{properties.Exponential.Share}"),
        var name => name,
    };

    // A string holds all fields of a record, as Tair's binding writes them.
    private static string SizeOf(YcsbProperties properties)
    {
        var (least, most) = (properties.LeastFieldLength, properties.FieldLength);
        return properties.FieldLengths switch
        {
            "uniform" => string.Create(CultureInfo.InvariantCulture, $"{least}..{most}"),
            "zipfian" => string.Create(CultureInfo.InvariantCulture, $"{least}..{most}/zipfian"),
            "histogram" => Histogram(properties.LengthFile),
            _ => most.ToString(CultureInfo.InvariantCulture),
        };
    }

    private static string Histogram(string file) =>
        Values.ValueSize.Problem($"histogram:{file}") is { } problem
            ? throw new ConfigurationException($"fieldlengthhistogram={file}: {problem}")
            : $"histogram:{file}";
}
