using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Scan;
using RedisLatency.Sync.Targets;
using RedisLatency.Sync.Verify;

namespace RedisLatency.Sync;

internal static class SyncCatalogue
{
    public const string SkipRefusedLibraries = "--skip-refused-libraries";

    private const string Section = "Sync";
    private const string Examples = "'lag.p99<5ms' or 'skipped==0'";

    private static readonly string[] KnownTypes = ["string", "list", "set", "zset", "hash", "stream"];

    public static OptionCatalogue<SyncOptions> CreateScan()
    {
        var catalogue = New("--database");
        catalogue
            .Include(
                new OptionCatalogue<ScanOptions>(Section)
                    .Group("Scanning")
                    .Add("--count", o => o.Count, Syntax.SmallCount(1, 100_000, "keys"),
                        "How many keys SCAN is asked for at once")
                    .AddList("--database", o => o.Databases, Syntax.SmallCount(0, int.MaxValue),
                        "Which databases of the source to read", shownDefault: "all that have keys")
                    .AddList("--type", o => o.Types, Syntax.Text("TYPE", TypeProblem),
                        "Copy keys of this type only", shownDefault: "all")
                    .AddList("--skip-type", o => o.SkippedTypes, Syntax.Text("TYPE"),
                        "Leave out keys whose TYPE is this, a module's for instance")
                    .Add("--use", o => o.Use, Syntax.Choice<KeyUse>().Optional(),
                        "What to carry over of how keys were used: idle times, frequencies or nothing",
                        shownDefault: "what the source evicts by")
                    .Add("--prefer-replica", o => o.PrefersReplica, Syntax.Flag,
                        "Read from a replica of each shard of a cluster, where there is one")
                    .Add("--follow", o => o.Follows, Syntax.Flag,
                        "Go on with keys that change, as keyspace notifications tell, until stopped", key: "Follow"),
                o => o.Scan)
            .Rule(["--follow", "--on-existing"], o =>
                o.Scan.Follows && o.Destination is not null && o.OnExisting != ExistingKeys.Rewrite
                    ? "what changes is written again: give --on-existing rewrite"
                    : null);
        AddTransform(catalogue);
        AddWriting(catalogue);
        return AddRest(catalogue);
    }

    public static OptionCatalogue<SyncOptions> CreateSync()
    {
        var catalogue = New("--allow-database");
        catalogue
            .Include(
                new OptionCatalogue<ReadingOptions>(Section)
                    .Group("Reading")
                    .Add("--no-data-set", o => o.LeavesDataSet, Syntax.Flag,
                        "Carry over only what is written from now on", key: "NoDataSet")
                    .Add("--no-stream", o => o.LeavesStream, Syntax.Flag,
                        "End behind the data set", key: "NoStream")
                    .Add("--prefer-replica", o => o.PrefersReplica, Syntax.Flag,
                        "Read from a replica where there is one")
                    .Add("--no-diskless", o => o.RefusesDiskless, Syntax.Flag,
                        "Have the source write its data set to its disk first", key: "NoDiskless")
                    .Add("--spool", o => o.SpoolFolder, Syntax.OptionalText("FOLDER"),
                        "Where what waits is kept that memory has no room for", shownDefault: "the temporary folder")
                    .Add("--spool-limit", o => o.SpoolLimit, Syntax.Size(0, long.MaxValue),
                        "The most bytes there; then the source has to wait")
                    .Add("--checkpoint", o => o.Checkpoint, Syntax.Choice<CheckpointUse>(),
                        "Keep at the target how far it is, and go on from there; begin anew; or keep nothing")
                    .AddList("--psync-command", o => o.PsyncCommands,
                        Syntax.Text(PsyncCommand.Form, PsyncCommand.Problem),
                        "What PSYNC is called at a managed service that has renamed it")
                    .Include(CreateBigValue(), o => o),
                o => o.Reading)
            .Rule(["--no-data-set", "--no-stream"], o => o.Reading is { LeavesDataSet: true, LeavesStream: true }
                ? "nothing would be left to read"
                : null);
        AddTransform(catalogue);
        AddWriting(catalogue);
        AddLibraries(catalogue);
        catalogue
            .Group("Verifying")
            .Add("--verify", o => o.Verifies, Syntax.Flag,
                "Compare both ends once the target has followed the source, and end; 99 where they differ",
                key: "Verify")
            .Rule(["--verify"], o => !o.Verifies ? null
                : o.Destination is null ? "it is for a server as --destination"
                : o.Function is not null || o.FunctionCode is not null || o.Filter.FiltersCommands
                ? "what a function or a filter of commands makes of the source is not known"
                : o.Reading.LeavesDataSet ? "without the data set they cannot be equal"
                : null)
            .Include(VerifyCatalogue.CreateDifferences("Verifying"), o => o.Verify)
            .Rule(["--differences"], o => o.Verify.Differences is null || o.Verifies ? null : "it is for --verify");
        return AddRest(catalogue);
    }

    public static OptionCatalogue<SyncOptions> CreateFile(bool isAof)
    {
        var reading = new OptionCatalogue<ReadingOptions>(Section)
            .Group("Reading")
            .AddArgument("FILE", o => o.File, Syntax.Text("FILE", file => FileProblem(file, isAof)),
                isAof ? "An append-only file, or the manifest of several" : "An RDB file");
        if (isAof)
        {
            reading.Add("--until", o => o.Until, Syntax.Count(1, long.MaxValue).Optional(),
                "Leave out what was written later, in seconds since 1970", shownDefault: "all");
        }

        var catalogue = new OptionCatalogue<SyncOptions>(Section)
            .Include(reading.Include(CreateBigValue(), o => o), o => o.Reading);
        AddTarget(catalogue.Group("Servers"));
        AddTransform(catalogue);
        AddWriting(catalogue);
        AddLibraries(catalogue);
        return AddRest(catalogue);
    }

    public static OptionCatalogue<SyncOptions> CreateVerify(OptionCatalogue<VerifyOptions> comparing)
    {
        var catalogue = AddSource(new OptionCatalogue<SyncOptions>(Section).Group("Servers"), "--allow-database")
            .Add("--destination", o => o.Destination, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The server or cluster that should be equal", shownDefault: "needed", mask: EndpointSyntax.Mask,
                word: "DESTINATION")
            .Rule(["--destination"], o => o.Destination is null ? "a server to compare with is needed" : null)
            .Rule(["--destination"], DatabaseProblem)
            .Include(TargetCatalogue.CreateConnections(), o => o.Target)
            .Include(TargetCatalogue.CreateOtherTls(), o => o.Target)
            .Include(comparing, o => o.Verify)
            .Group("Comparing")
            .Add("--rate", o => o.Rate, Syntax.Rate(100_000_000, "keys per second"),
                "At most so many keys a second, of both servers together; 0 for as fast as it goes")
            .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: TimeSpan.FromHours(1)),
                "How long a server may be away, or a replica of the source behind");
        AddNames(catalogue, CreateKeyFilters());
        return AddRest(catalogue, VerifyMetrics.Problem, "'differences<10' or 'extra==0'");
    }

    private static OptionCatalogue<ReadingOptions> CreateBigValue() => new OptionCatalogue<ReadingOptions>(Section)
        .Group("Reading")
        .Add("--big-value", o => o.BigValue, Syntax.Size(1 << 10, 512L << 20),
            "A longer value is not held: it becomes commands, and is not written at once");

    private static string? FileProblem(string file, bool isAof)
    {
        if (File.Exists(file))
            return null;
        if (!Directory.Exists(file))
            return "there is no such file";
        var withAppendOnlyFolder = new EnumerationOptions { RecurseSubdirectories = true, MaxRecursionDepth = 1 };
        var manifest = isAof
            ? Directory.EnumerateFiles(file, "*.manifest", withAppendOnlyFolder).FirstOrDefault()
            : null;
        return manifest is null ? "this is a folder" : $"this is a folder; the manifest in it is {manifest}";
    }

    private static OptionCatalogue<SyncOptions> New(string choice) => AddTarget(
        AddSource(new OptionCatalogue<SyncOptions>(Section).Group("Servers"), choice));

    private static OptionCatalogue<SyncOptions> AddSource(OptionCatalogue<SyncOptions> catalogue, string choice) =>
        catalogue
        .Add("--source", o => o.Source, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
            "The server or cluster to read: redis://, rediss://, redis+cluster://, redis+sentinel://, unix:, host:port",
            shownDefault: "needed", mask: EndpointSyntax.Mask, word: "SOURCE")
        .Rule(["--source"], o => o.Source is null ? "a server to read is needed" : null)
        .Rule(["--source"], o => DatabaseOf(o.Source) is > 0 and var database
            ? $"no database can stand here: give it without, and {choice} {database}, which reads that one only"
            : null);

    private static int DatabaseOf(string? endpoint) =>
        RedisEndpoint.TryParse(endpoint, out var parsed, out _) ? parsed.Database : 0;

    private static OptionCatalogue<SyncOptions> AddTarget(OptionCatalogue<SyncOptions> catalogue) => catalogue
        .Add("--destination", o => o.Destination, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
            "The server or cluster to write to", shownDefault: "needed", mask: EndpointSyntax.Mask,
            word: "DESTINATION")
        .Add("--destination-file", o => o.DestinationFile, Syntax.OptionalText("FILE"),
            "Write commands to a new file instead of a server", shownDefault: "none")
        .Add("--verify-only", o => o.OnlyVerifies, Syntax.Flag,
            "Write nothing: read everything, and check that every value is whole", key: "VerifyOnly")
        .Add("--file-format", o => o.FileFormat, Syntax.Choice<FileFormat>(),
            "As an append-only file, as lines for redis-cli, or as a JSON object a line")
        .Rule(["--destination"], o => Targets(o) == 0
            ? "a server to write to is needed, or --destination-file or --verify-only"
            : null)
        .Rule(["--destination"], DatabaseProblem)
        .Rule(["--destination", "--destination-file", "--verify-only"], o => Targets(o) > 1
            ? "only one of them can be written to"
            : null)
        .Rule(["--on-existing"], o => o.Destination is null && o.OnExisting != ExistingKeys.Panic
            ? "it is for a server as --destination: a new file has no keys yet"
            : null)
        .Rule(["--empty-destination"], o => o.Destination is null && o.EmptiesDestination
            ? "it is for a server as --destination: a new file has no keys yet"
            : null)
        .Rule(["--file-format"], o => o.DestinationFile is null && o.FileFormat != FileFormat.Aof
            ? "it is for --destination-file"
            : null)
        .Include(TargetCatalogue.CreateConnections(), o => o.Target)
        .Include(TargetCatalogue.CreateOtherTls(), o => o.Target)
        .Rule(["--other-user", "--other-password-file", "--other-tls-ca", "--other-tls-cert"], o =>
            (o.Source is null || o.Destination is null)
            && (o.Target.OtherUser ?? o.Target.OtherPasswordFile ?? o.Target.OtherTlsAuthorities
                ?? o.Target.OtherTlsCertificate) is not null
            ? "it is for --destination, beside --source"
            : null);

    private static string? DatabaseProblem(SyncOptions o) => DatabaseOf(o.Destination) is > 0 and var database
        ? $"no database can stand here: give it without, and --database-map 0:{database}, which writes what is of "
            + "database 0 there"
        : null;

    private static int Targets(SyncOptions o) =>
        (o.Destination is null ? 0 : 1) + (o.DestinationFile is null ? 0 : 1) + (o.OnlyVerifies ? 1 : 0);

    private static void AddTransform(OptionCatalogue<SyncOptions> catalogue)
    {
        var command = Syntax.Text("COMMAND", FilterOptions.CommandProblem);
        var group = Syntax.Text("GROUP", FilterOptions.GroupProblem);
        AddNames(
            catalogue,
            CreateKeyFilters()
                .AddList("--allow-command", o => o.AllowCommands, command, "Carry over this command")
                .AddList("--block-command", o => o.BlockCommands, command, "Leave this command out")
                .AddList("--allow-command-group", o => o.AllowGroups, group, "Commands of this group")
                .AddList("--block-command-group", o => o.BlockGroups, group, "Commands of this group"))
            .Add("--function", o => o.Function, Syntax.OptionalText("FILE"),
                "A function in Lua that is given every command, as RedisShake's", shownDefault: "none")
            .Add("--function-code", o => o.FunctionCode, Syntax.OptionalText("LUA"),
                "The same as a text", shownDefault: "none")
            .Rule(["--function", "--function-code"], o => o.Function is not null && o.FunctionCode is not null
                ? "use only one of them"
                : null);
    }

    private static OptionCatalogue<FilterOptions> CreateKeyFilters()
    {
        var database = Syntax.SmallCount(0, int.MaxValue);
        var text = Syntax.Text();
        var expression = Syntax.Text("REGEX", FilterOptions.ExpressionProblem);
        return new OptionCatalogue<FilterOptions>(Section)
            .Group("Filters (what is blocked stays out, even where it is allowed)")
            .AddList("--allow-key", o => o.AllowKeys, text, "Carry over this key")
            .AddList("--allow-key-prefix", o => o.AllowKeyPrefixes, text, "Keys that begin so")
            .AddList("--allow-key-suffix", o => o.AllowKeySuffixes, text, "Keys that end so")
            .AddList("--allow-key-regex", o => o.AllowKeyExpressions, expression, "Keys that match")
            .AddList("--block-key", o => o.BlockKeys, text, "Leave this key out")
            .AddList("--block-key-prefix", o => o.BlockKeyPrefixes, text, "Keys that begin so")
            .AddList("--block-key-suffix", o => o.BlockKeySuffixes, text, "Keys that end so")
            .AddList("--block-key-regex", o => o.BlockKeyExpressions, expression, "Keys that match")
            .AddList("--allow-database", o => o.AllowDatabases, database, "Carry over this database")
            .AddList("--block-database", o => o.BlockDatabases, database, "Leave this database out");
    }

    // Which keys there are at the target, and what they are called there.
    private static OptionCatalogue<SyncOptions> AddNames(
        OptionCatalogue<SyncOptions> catalogue, OptionCatalogue<FilterOptions> filters) => catalogue
        .Include(filters, o => o.Filter)
        .Group("Changes")
        .AddList("--database-map", o => o.Databases, Syntax.Text(DatabaseMap.Form, DatabaseMap.Problem),
            "Write what is of one database to another")
        .Rule(["--database-map"], o => DatabaseMap.DoubleOf(o.Databases) is { } database
            ? $"database {database} is mapped twice"
            : null)
        .AddList("--rename-prefix", o => o.Prefixes, Syntax.Text(PrefixChange.Form, PrefixChange.Problem),
            "Rename keys that begin with one text so that they begin with another")
        .Rule(["--rename-prefix"], o => PrefixChange.DoubleOf(o.Prefixes) is { } prefix
            ? $"{prefix} is renamed twice"
            : null);

    private static void AddWriting(OptionCatalogue<SyncOptions> catalogue) => catalogue
        .Group("Writing")
        .Add("--on-existing", o => o.OnExisting, Syntax.Choice<ExistingKeys>(),
            "Where a key is at the target already: end the run, replace it, or leave it as it is")
        .Add("--empty-destination", o => o.EmptiesDestination, Syntax.Flag,
            "Delete everything at the target before (FLUSHALL)", key: "EmptyDestination")
        .Add("--rate", o => o.Rate, Syntax.Rate(100_000_000, "entries per second"),
            "At most so many keys and commands a second; 0 for as fast as it goes")
        .Add("--connections", o => o.Connections, Syntax.SmallCount(1, 64, "connections"),
            "Connections to each server of the target")
        .Add("--max-in-flight", o => o.MostInFlight, Syntax.SmallCount(1, 1_000_000, "requests"),
            "The most requests without a reply on one connection")
        .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: TimeSpan.FromHours(1)),
            "How long a server may be away, or turn requests away for now, before the run ends");

    // A scan carries none over.
    private static void AddLibraries(OptionCatalogue<SyncOptions> catalogue) => catalogue
        .Add(SkipRefusedLibraries, o => o.SkipsRefusedLibraries, Syntax.Flag,
            "Leave out libraries of functions that the target refuses, as one before Redis 7 does all",
            key: "SkipRefusedLibraries")
        .Rule([SkipRefusedLibraries], o => o.SkipsRefusedLibraries && o.Destination is null
            ? "it is for a server as --destination"
            : null);

    private static OptionCatalogue<SyncOptions> AddRest(OptionCatalogue<SyncOptions> catalogue) =>
        AddRest(catalogue, SyncMetrics.Problem, Examples);

    private static OptionCatalogue<SyncOptions> AddRest(
        OptionCatalogue<SyncOptions> catalogue, Func<Threshold, string?> problem, string examples) => catalogue
        .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
        .Include(IdentityCatalogue.Create(), o => o.Identity)
        .Include(OutputCatalogue.Create(problem, examples), o => o.Output);

    private static string? TypeProblem(string type) =>
        KnownTypes.Contains(type.ToLowerInvariant()) ? null
        : $"one of {string.Join(", ", KnownTypes)} is needed{NearestName.Question(type, KnownTypes)}";
}
