using System.Globalization;
using System.Runtime.InteropServices;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>redis-benchmark's command line as phases of the engine: one for each test.</summary>
internal static class RedisBenchmark
{
    private const int DefaultRequests = 100_000;
    // Without -r they are told apart by their tags alone: one key for each master. They have their turns evenly where
    // there are few masters.
    private const int KeysInCluster = 16_384;
    private const double LeastRate = 1e-6;
    private const string Random = "__rand_int__";

    public static ForeignCommand Command { get; } = new ForeignCommand<RedisBenchmarkOptions>(
        "redis-benchmark",
        "Takes redis-benchmark's options, prints what it does.",
        "[OPTIONS] [COMMAND ARGS...]",
        OptionDialect.Plain,
        RedisBenchmarkOptions.CreateCatalogue,
        Run)
    { Manual = FrontEnd.Manual };

    private static int Run(ForeignCommandLine<RedisBenchmarkOptions> line, CommandSurroundings around)
    {
        var options = line.Options;
        var isOwn = line.Rest.Count > 0;
        var seed = options.Seed ?? System.Random.Shared.Next();
        IReadOnlyList<RedisBenchmarkTest> tests = isOwn
            ? [RedisBenchmarkTest.Of(line.Rest, options)]
            : RedisBenchmarkTest.Chosen(options);
        Check(options, tests);
        if (isOwn && options.Tests is not null)
            around.Error.WriteLine("WARNING: Option -t is ignored.");
        if (!options.KeepsConnections)
            around.Error.WriteLine("WARNING: Keepalive disabled: every request has a connection of its own.");
        var report = new RedisBenchmarkReport(
            options, isSuite: !isOwn, isOwn ? tests[0].EncodedLength : options.DataSize);
        report.ReadFrom = options.ReadFrom;
        var cluster = options.IsCluster ? ClusterUse.On : ClusterUse.Off;
        if (options.IsIdle)
        {
            around.Output.WriteLine(
                $"Creating {Text(options.Clients)} idle connections and waiting forever (Ctrl+C when done)");
            return report.Run(options.Target, [IdlePhase(options)], ClusterUse.Off, around);
        }

        int? stopped = null;
        // A signal between two tests, too, when no run is there to take it.
        using var interrupted = Observe(PosixSignal.SIGINT, ExitCode.Interrupted);
        using var terminated = Observe(PosixSignal.SIGTERM, ExitCode.Terminated);
        int exitCode;
        do
        {
            // A phase is used once.
            List<PhasePlan> phases = [.. tests.Select(test => PhaseOf(test, options, seed))];
            exitCode = tests.Count == 0
                ? report.Nothing(around.Output)
                : report.Run(options.Target, phases, cluster, around);
        }
        while (options.IsLoop && stopped is null && exitCode == ExitCode.Valid && tests.Count > 0);

        return exitCode == ExitCode.Valid ? stopped ?? exitCode : exitCode;

        PosixSignalRegistration? Observe(PosixSignal signal, int code) => options.IsLoop
            ? PosixSignalRegistration.Create(signal, context => (context.Cancel, stopped) = (true, code))
            : null;
    }

    private static void Check(RedisBenchmarkOptions options, IReadOnlyList<RedisBenchmarkTest> tests)
    {
        var problems = new List<string>();
        if (options.Requests is not null && options.Duration is not null)
            problems.Add("-n, --duration: only one of them can be meant");
        if (options is { IsCluster: false, ReadFrom: not ReadPreference.Primary })
            problems.Add("--rfr: it is for --cluster");
        if (options is { AsOriginal: true, IsCluster: true, Pipeline: > 1 })
            problems.Add("--as-original, --cluster, -P: pipelines to several masters have no batches to be defined by");
        if (options is { AsOriginal: true, Rate: not null })
            problems.Add("--as-original, --rps: what is sent by a schedule has no batches to be defined by");
        if (options is { IsIdle: true, IsCluster: true })
            problems.Add("-I, --cluster: idle connections go to one server");
        if (options.TakesLastFromInput && tests.Any(test => test.Command is null))
            problems.Add("-x: a command is needed, of which standard input is the last argument");
        if (problems.Count > 0)
            throw new ConfigurationException(problems);
    }

    private static PhasePlan PhaseOf(RedisBenchmarkTest test, RedisBenchmarkOptions options, int seed) =>
        new(test.Title, isLoad: false, new PhaseOptions
        {
            Mix = test.Operation is { } operation ? [new MixPart(operation, 1)] : [],
            Commands = test.Command is { } command ? [new WeightedCommand(command, 1)] : [],
            LiteralNumbers = options.Keyspace is null,
            KeyForm = KeyFormOf(test, options),
            HasTagOfEachPrimary = options.IsCluster,
            Records = options.Keyspace is > 0 and { } length ? length : options.IsCluster ? KeysInCluster : 1,
            Keys = options.IsSequential ? "sequential" : "uniform",
            ValueSize = Text(options.DataSize),
            Value = "redis-benchmark",
            Operations = options.Duration is null ? options.Requests ?? DefaultRequests : null,
            Duration = options.Duration,
            WarmUp = options.WarmUp,
            Clients = options.Clients,
            Threads = Math.Max(1, options.Threads),
            Pipeline = options.Pipeline,
            SendsInBatches = options is { IsCluster: false, Rate: null },
            Rate = options.Rate is { } rate ? [new RateStep(rate, rate, TimeSpan.Zero)] : [],
            MaxInFlight = options.Rate is null ? null : options.Pipeline,
            ReconnectEvery = options.KeepsConnections ? null : options.Pipeline,
            Stamps = options.AsOriginal ? LatencyStamps.OfBatch : LatencyStamps.Own,
            OnError = ErrorPolicy.Stop,
            Seed = seed,
        });

    // As many connections that do nothing, for as long as nobody stops it; one of them sends a single PING.
    private static PhasePlan IdlePhase(RedisBenchmarkOptions options) =>
        new("idle", isLoad: false, new PhaseOptions
        {
            Mix = [new MixPart("ping", 1)],
            Rate = [new RateStep(LeastRate, LeastRate, TimeSpan.Zero)],
            Duration = TimeSpan.FromDays(3650),
            WarmUp = TimeSpan.Zero,
            Clients = 1,
            IdleConnections = options.Clients - 1,
        });

    // In a cluster the tag of a slot is in it: {0:T} in braces of its own.
    private static string KeyFormOf(RedisBenchmarkTest test, RedisBenchmarkOptions options) => (
        options.IsCluster, test.IsNumbered, options.Keyspace) switch
    {
        _ when test.Operation is null => "redis-benchmark",
        (true, true, null) => $"{test.Key}:{{{{{{0:T}}}}}}:{Random}",
        (true, true, _) => $"{test.Key}:{{{{{{0:T}}}}}}:{{0:D12}}",
        (true, false, _) => $"{test.Key}:{{{{{{0:T}}}}}}",
        (_, true, null) => $"literal:{test.Key}:{Random}",
        (_, true, _) => $"{test.Key}:{{0:D12}}",
        _ => $"literal:{test.Key}",
    };

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
