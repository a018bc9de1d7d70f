using System.Security.Cryptography;
using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Psync;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync;

/// <summary>Options, settled: files read, defaults that depend on others taken.</summary>
internal sealed class SyncPlan
{
    private static readonly RdbFormat NewestFormat = RdbFormat.Of(RdbFormat.NewestOfRedis);

    private readonly CommandRun<SyncOptions> _command;
    private IReadOnlyList<ResolvedTarget>? _ends;

    /// <exception cref="ConfigurationException">A file cannot be read, or is no Lua.</exception>
    public SyncPlan(string verb, CommandRun<SyncOptions> command)
    {
        (Verb, _command) = (verb, command);
        command.Options.Resolve("--run", Run);
        command.Options.Resolve("--instance", Instance);
        Function = Options.Function is { } file ? ReadFunction(file) : Options.FunctionCode;
        if (Options.FunctionCode is { } code && ScriptFunction.Problem(code) is { } problem)
            throw new ConfigurationException(problem);
    }

    public string Verb { get; }

    public SyncOptions Options => _command.Options.Values;

    public string? Function { get; }

    public string Run => Options.Identity.Run ?? "default";

    public string Instance => Options.Identity.Instance ?? Environment.MachineName;

    public ResolvedTarget Resolve(string? endpoint)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        if (_ends is null)
        {
            Options.Target.Endpoints = [.. new[] { Options.Source, Options.Destination }.OfType<string>()];
            _ends = TargetResolution.Resolve(
                Options.Target, _command.Surroundings.Environment, PasswordPrompt.Ask);
        }

        return endpoint == Options.Source ? _ends[0] : _ends[^1];
    }

    /// <summary>Of a file it is not known who will read it: a server that knows what the source does.</summary>
    public FileWriter FileWriterFor(TargetServer? source) =>
        new(Options.DestinationFile, Options.FileFormat, source?.Format ?? NewestFormat, BigValue);

    public SourceOptions SourceOf(RdbFormat? target) => new()
    {
        PrefersReplica = Options.Reading.PrefersReplica,
        ReadsDataSet = !Options.Reading.LeavesDataSet,
        ReadsStream = !Options.Reading.LeavesStream,
        Acknowledges = !Options.OnlyVerifies,
        Replication = new ReplicationOptions
        {
            AcceptsDiskless = !Options.Reading.RefusesDiskless,
            Spool = new SpoolOptions
            {
                DiskLimit = Options.Reading.SpoolLimit,
                Folder = SpoolFolder(),
            },
        },
        PsyncCommands = Options.Reading.PsyncCommands.Select(PsyncCommand.Parse).ToDictionary(),
        BigValue = Options.Reading.BigValue,
        Target = target ?? NewestFormat,
        // A function makes other commands of the parts of a value.
        HearsOfClaims = Function is null && Options.DestinationFile is null,
        LostLimit = Options.ReconnectTimeout,
        Until = Options.Reading.Until,
    };

    public RunRecording Record(RunContext run, IEnumerable<ResolvedTarget> targets) => new(
        run, Member, Options.Output, targets);

    public RunMember Member =>
        new("replication", Run, Instance, Options.Identity.Region, () => _command.Options.Effective);

    // A scan, which has no such option, reads what a server has in its memory.
    private long BigValue => Verb == "scan" ? RdbReader.LongestText : Options.Reading.BigValue;

    // Whether all that the source has of a key is carried over.
    public bool ExpectsKeys =>
        Function is null && !Options.Filter.FiltersCommands && !Options.Reading.LeavesDataSet;

    // What the source did after what was read of its keys.
    public bool CommandsFollow => Verb == "aof" || (Verb == "sync" && !Options.Reading.LeavesStream);

    public bool KeepsCheckpoint => Verb == "sync" && !Options.Reading.LeavesStream && Options.Destination is not null
        && Options.Reading.Checkpoint != CheckpointUse.None;

    /// <summary>What is carried over, and under which names, in a few characters.</summary>
    public string Digest(string slotRanges)
    {
        IEnumerable<string>[] parts =
        [
            .. Options.Filter.Parts, Options.Databases, Options.Prefixes, [Function ?? string.Empty],
            [Options.Reading.LeavesDataSet ? "stream" : string.Empty], [slotRanges],
        ];
        var text = string.Join('\0', parts.Select(part => string.Join('\u0001', part)));
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)))[..12];
    }

    public TransformPlan Transform(
        TargetServer? target, TargetServer? source, int shards, Action<string> log, SyncFault fault) => new()
        {
            Shards = shards,
            ReadsServer = source is not null,
            ExtendsExpiredKeys = target is not null && CommandsFollow,
            Clock = (target ?? source)?.Clock ?? ServerClock.OfThisMachine,
            Filter = Options.Filter,
            Function = Function is { } text ? new FunctionPlan(text, fault) : null,
            Log = log,
            ReplacesKeys = Options.OnExisting == ExistingKeys.Rewrite,
            IsTargetCluster = target?.IsCluster == true,
            Target = target?.Format,
            TargetExitsAtModules = target?.ExitsAtModules == true,
            NeedsSlots = Options.Connections > 1 || target?.HasMap == true,
            Databases = DatabaseMap.Parse(Options.Databases),
            Prefixes = [.. Options.Prefixes.Select(PrefixChange.Parse)],
        };

    public LaneRules Rules(
        TargetServer server, SlotMapSource? map, Dictionary<string, string> processes, CommandTable table,
        SessionEvents events, bool keysMayMeet) => new()
        {
            Target = server.Target,
            Format = server.Format,
            IsAbsolute = server.KnowsAbsoluteExpiry,
            Clock = server.Clock,
            Map = map,
            IsCluster = server.IsCluster,
            Table = table,
            Events = events,
            Processes = new(processes),
            OnExisting = Options.OnExisting,
            LeavesOutRefusedLibraries = Options.SkipsRefusedLibraries,
            ExpectsKeys = ExpectsKeys,
            BigValue = BigValue,
            KeysComeTwice = Verb == "scan" && !keysMayMeet,
            MostInFlight = Options.MostInFlight,
            Patience = Options.ReconnectTimeout,
            KeepsCheckpoint = KeepsCheckpoint,
        };

    private string SpoolFolder()
    {
        if (Options.Reading.SpoolFolder is not { } folder)
            return Path.GetTempPath();
        try
        {
            return Directory.CreateDirectory(folder).FullName;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException($"--spool {folder}: cannot be made: {failure.Message}");
        }
    }

    private static string ReadFunction(string file)
    {
        try
        {
            var script = Encoding.UTF8.GetString(SmallFile.Read(file));
            return ScriptFunction.Problem(script) is { } problem ? throw new ConfigurationException(problem) : script;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            var why = Directory.Exists(file) ? "it is a folder" : $"cannot be read: {failure.Message}";
            throw new ConfigurationException($"--function {file}: {why}");
        }
    }
}
