using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>memtier_benchmark's command line as phases of the engine: one for each run.</summary>
internal static class Memtier
{
    private const int DefaultRequests = 10_000;
    private const int MostRetries = 1_000_000;

    private static readonly string[] Sizes = ["-d", "--data-size-range", "--data-size-list"];

    private static readonly string[] OfSetsAndGets =
        ["--ratio", "--key-pattern", "--data-offset", "--wait-ratio", "--multi-key-get", "--expiry-range"];

    public static ForeignCommand Command { get; } = new ForeignCommand<MemtierOptions>(
        "memtier",
        "Takes memtier_benchmark's options, prints what it does.",
        "[options]",
        OptionDialect.Getopt,
        MemtierCatalogue.Create,
        Run)
    { Manual = FrontEnd.Manual };

    /// <summary>How many requests each client sends where no time says it.</summary>
    public static long RequestsOf(MemtierOptions options) => options.Requests switch
    {
        null => DefaultRequests,
        // As the original counts them: all but the last one, where each client does not have a part of them.
        -1 when options is { KeyPattern: "P:P", Commands.Count: 0 } =>
            ((RangeOf(options) - 1) / ((long)options.Clients * options.Threads)) + 1,
        -1 when RangeOf(options) > 1 => RangeOf(options) - 1,
        -1 => DefaultRequests,
        { } requests => requests,
    };

    private static int Run(ForeignCommandLine<MemtierOptions> line, CommandSurroundings around)
    {
        var options = line.Options;
        Check(options, line);
        var replay = ReplayOf(options);
        var operations = OperationsOf(options);
        var report = new MemtierReport(options, operations, replay);
        // A WAIT has a limit of its own, and the server the same time as for every request besides.
        if (options.WaitRatio.Waits > 0)
            options.Target.Options.CommandTimeout += TimeSpan.FromMilliseconds(options.WaitTimeout.Most);
        var seed = options.IsRandomized ? Random.Shared.Next() : 1;
        var servers = options is { IsCluster: true, RateLimit: > 0 } ? PrimariesOf(options.Target, around) : 1;
        List<PhasePlan> phases =
        [
            .. Enumerable.Range(1, options.RunCount)
                .Select(number => PhaseOf(number, options, operations, seed, servers)),
        ];
        return report.Run(
            options.Target, phases, options.IsCluster ? ClusterUse.On : ClusterUse.Off, around);
    }

    private static void Check(MemtierOptions options, ForeignCommandLine<MemtierOptions> line)
    {
        var problems = line.Rest.Select(word => $"unexpected word '{word}'").ToList();
        var sizes = Sizes.Where(line.Given.Contains).ToList();
        if (sizes.Count > 1)
            problems.Add($"{string.Join(", ", sizes)}: only one of them can be meant");
        if (options.Requests is not null && options.TestSeconds is not null)
            problems.Add("--test-time and --requests are mutually exclusive");
        if (options.KeyMaximum < options.KeyMinimum)
            problems.Add("--key-minimum, --key-maximum: the first key comes before the last one");
        if (options.KeyPattern is not [var first, ':', var second] || !IsPattern(first) || !IsPattern(second))
            problems.Add($"--key-pattern {options.KeyPattern}: two of R, G, Z, S and P are needed, for instance R:R");
        else if (first == 'P' != (second == 'P'))
            problems.Add("--key-pattern: P is for both, or for none");
        if (options.Commands.Count > 0)
        {
            var others = OfSetsAndGets.Where(line.Given.Contains).ToList();
            if (others.Count > 0)
            {
                problems.Add($"{string.Join(", ", others)}: they are for sets and gets, which --command takes the "
                    + "place of");
            }
        }

        if (!PatternsOf(options).Contains('G', StringComparison.Ordinal)
            && (line.Given.Contains("--key-stddev") || line.Given.Contains("--key-median")))
            problems.Add("--key-stddev, --key-median: they are for the pattern G");
        if (options.KeyMedian > 0 && (options.KeyMedian < options.KeyMinimum || options.KeyMedian > options.KeyMaximum))
            problems.Add("--key-median: it lies between --key-minimum and --key-maximum");
        if (line.Given.Contains("--max-retries") && !options.RetriesErrors)
            problems.Add("--max-retries: it is for --retry-on-error");
        if (options.MonitorPattern == 'R' && !options.Commands.Exists(command => command.IsWholeFile))
            problems.Add("--monitor-pattern R: it is for --command __monitor_line@__");
        problems.AddRange(MonitorProblems(options));
        if (options is { Ratio: (0, 0), Commands.Count: 0 })
            problems.Add("--ratio 0:0: nothing would be sent");
        if (options is { DataOffset: > 0, Expiry: not null })
            problems.Add("--data-offset, --expiry-range: parts of values cannot be given a time to live");
        if (options is { DataOffset: > 0, MultiKeyGet: > 0 })
            problems.Add("--data-offset, --multi-key-get: MGET reads whole values");
        if (options.IsSizedByKey && options.DataRange is null)
            problems.Add("--data-size-pattern S: it is for --data-size-range");
        if (problems.Count > 0)
            throw new ConfigurationException(problems);
    }

    private static IEnumerable<string> MonitorProblems(MemtierOptions options)
    {
        var monitored = options.Commands.Where(command => command.IsMonitored).ToList();
        if (options.MonitorFile is not { } file)
        {
            if (monitored.Count > 0)
                yield return $"--command {monitored[0].Text}: --monitor-input has the file of its commands";
            yield break;
        }

        if (monitored.Count == 0)
            yield return "--monitor-input: --command __monitor_line1__ or __monitor_line@__ says what of it is sent";
        if (options.IsCluster)
            yield return "--monitor-input, --cluster-mode: commands of a file go to one server";
        if (monitored.Count(command => command.IsWholeFile) > 1)
            yield return "--command __monitor_line@__: it can be given once";
        if (monitored.Find(command => !command.IsWholeFile && command.Line is null) is { } wrong)
        {
            yield return $"--command {CommandSyntax.Mask(wrong.Text)}: __monitor_line1__ and so on, or "
                + "__monitor_line@__, is needed";
        }

        if (MonitorFile.Problem(file) is { } problem)
            yield return $"--monitor-input {file}: {problem}";
    }

    private static Replay? ReplayOf(MemtierOptions options) =>
        options.MonitorFile is { } file && options.Commands.Exists(command => command.IsWholeFile)
            ? MonitorFile.Parse(file)
            : null;

    private static string PatternsOf(MemtierOptions options) => options.Commands.Count > 0
        ? string.Concat(options.Commands.Select(command => command.KeyPattern))
        : options.KeyPattern;

    private static bool IsPattern(char letter) => letter is 'R' or 'G' or 'Z' or 'S' or 'P';

    private static long RangeOf(MemtierOptions options) => options.KeyMaximum - options.KeyMinimum + 1;

    private static List<MemtierOperation> OperationsOf(MemtierOptions options)
    {
        if (options.Commands.Count > 0)
            return OperationsOf(options.Commands, options);
        List<MemtierOperation> all = [];
        var (sets, gets) = options.Ratio;
        if (sets > 0)
            all.Add(new MemtierOperation("SET", SetOf(options), sets, KeysOf(options, options.KeyPattern[0])));
        var keys = Math.Clamp(options.MultiKeyGet, 1, Math.Max(1, gets));
        var first = all.Count;
        // An MGET counts as many of the gets as it has keys; the last one of a turn has what is left of them.
        foreach (var (times, size) in new[] { (gets / keys, keys), (gets % keys == 0 ? 0 : 1, gets % keys) })
        {
            if (times == 0)
                continue;
            all.Add(new MemtierOperation(
                "GET", GetOf(options, size), times, KeysOf(options, options.KeyPattern[2]))
            {
                KeysOf = all.Count > first ? first : null,
            });
        }

        if (options.WaitRatio.Waits > 0)
        {
            all.Add(new MemtierOperation(
                "WAIT", $"WAIT {Between(options.Replicas)} {Between(options.WaitTimeout)}", 1, null));
        }

        return all;
    }

    private static List<MemtierOperation> OperationsOf(IEnumerable<MemtierCommand> given, MemtierOptions options)
    {
        List<MemtierOperation> all = [];
        foreach (var command in given.Where(command => !command.IsWholeFile)
            .Select(command => Expanded(command, options.MonitorFile)))
        {
            if (!CommandText.TryQuote(command.Text, ["__key__", "__data__"], out var text, out var problem))
                throw new ConfigurationException($"--command {CommandSyntax.Mask(command.Text)}: {problem}");
            all.Add(new MemtierOperation(
                command.Name, text, command.Ratio, KeysOf(options, command.KeyPattern)));
        }

        return all;
    }

    private static MemtierCommand Expanded(MemtierCommand command, string? file)
    {
        if (!command.IsMonitored || file is null || command.Line is not { } line)
            return command;
        try
        {
            return command with { Text = MonitorFile.TextOfLine(file, line) };
        }
        catch (FormatException problem)
        {
            throw new ConfigurationException($"--command {command.Text}: {problem.Message}");
        }
    }

    private static string SetOf(MemtierOptions options) => (options.Expiry, options.DataOffset) switch
    {
        ({ } life, _) => $"SETEX __key__ {Between(life)} __data__",
        (_, > 0 and var offset) => string.Create(CultureInfo.InvariantCulture, $"SETRANGE __key__ {offset} __data__"),
        _ => "SET __key__ __data__",
    };

    private static string GetOf(MemtierOptions options, int keys) => (options.MultiKeyGet, options.DataOffset) switch
    {
        ( > 0, _) => "MGET" + string.Concat(Enumerable.Repeat(" __key__", keys)),
        (_, > 0 and var offset) => string.Create(
            CultureInfo.InvariantCulture, $"GETRANGE __key__ {offset} -1"),
        _ => "GET __key__",
    };

    private static string Between((int Least, int Most) range) => range.Least == range.Most
        ? range.Least.ToString(CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"__range:{range.Least}..{range.Most}__");

    private static string KeysOf(MemtierOptions options, char pattern) => pattern switch
    {
        'G' => Gaussian(options),
        'Z' => string.Create(CultureInfo.InvariantCulture, $"zipfian:{options.ZipfExponent}"),
        'S' => "sequential-each",
        'P' => "partitioned-each",
        _ => "uniform",
    };

    private static string Gaussian(MemtierOptions options)
    {
        var median = options.KeyMedian > 0
            ? options.KeyMedian
            : options.KeyMinimum + ((options.KeyMaximum - options.KeyMinimum) / 2.0);
        var deviation = options.KeyDeviation > 0 ? options.KeyDeviation : Math.Max(0.001, RangeOf(options) / 6.0);
        return string.Create(CultureInfo.InvariantCulture, $"gaussian:{median},{deviation}");
    }

    private static PhasePlan PhaseOf(
        int number, MemtierOptions options, IReadOnlyList<MemtierOperation> operations, int seed, int servers) =>
        new(string.Create(CultureInfo.InvariantCulture, $"RUN #{number}"), isLoad: false, new PhaseOptions
        {
            Commands =
            [
                .. operations.Select(one => new WeightedCommand(one.Command, one.Weight) { KeysOf = one.KeysOf }),
            ],
            Turns = MemtierTurns.Of(options, operations),
            Replay = options.Commands.Exists(command => command.IsWholeFile) ? options.MonitorFile : null,
            ReplayWeight = options.Commands.Find(command => command.IsWholeFile)?.Ratio ?? 1,
            OperationKeys =
            [
                .. KeysByName(operations),
                .. options.MonitorPattern == 'R' ? [new OperationKeys(PhaseMix.Replay, "uniform")]
                    : Array.Empty<OperationKeys>(),
            ],
            MixOrder = MixOrder.Cyclic,
            HasTurnsEach = true,
            KeyForm = options.KeyPrefix.Replace("{", "{{", StringComparison.Ordinal)
                .Replace("}", "}}", StringComparison.Ordinal) + "{0}",
            FirstRecord = options.KeyMinimum,
            Records = RangeOf(options),
            ValueSize = SizeOf(options),
            Value = options.HasRandomData ? "random" : "constant",
            OperationsEach = options.TestSeconds is null ? RequestsOf(options) : null,
            Duration = options.TestSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null,
            WarmUp = TimeSpan.Zero,
            Threads = options.Threads,
            Connections = options.Clients,
            Pipeline = options.Pipeline,
            MaxInFlight = options.RateLimit > 0 ? options.Pipeline : null,
            Rate = options.RateLimit > 0 ? [RateOf(options, servers)] : [],
            ReconnectEvery = options.ReconnectInterval > 0 ? options.ReconnectInterval : null,
            OnError = options.RetriesErrors ? ErrorPolicy.Retry : ErrorPolicy.Count,
            MaxRetries = options.MaximumRetries < 0 ? MostRetries : options.MaximumRetries,
            Stamps = options.AsOriginal ? LatencyStamps.OfFill : LatencyStamps.Own,
            Seed = unchecked(seed + number - 1) & int.MaxValue,
        });

    // How many servers each client has a connection to. One that does not answer is told of when the run connects.
    private static int PrimariesOf(ForeignTarget target, CommandSurroundings around)
    {
        try
        {
            var resolved = target.Resolve(around.Environment);
            using var source = SlotMapSource.Open(resolved.Endpoint, resolved.Connection);
            return Math.Max(1, source.Current.Shards.Count);
        }
        catch (RedisException)
        {
            return 1;
        }
    }

    private static RateStep RateOf(MemtierOptions options, int servers)
    {
        var rate = (double)options.RateLimit * options.Clients * options.Threads * servers;
        return new RateStep(rate, rate, TimeSpan.Zero);
    }

    private static string SizeOf(MemtierOptions options) => (options.DataRange, options.DataList) switch
    {
        ({ } range, _) => string.Create(CultureInfo.InvariantCulture, $"{range.Least}..{range.Most}")
            + (options.IsSizedByKey ? "/by-key" : string.Empty),
        (_, { } list) => Values.ValueSize.Problem(list) is { } problem
            ? throw new ConfigurationException($"--data-size-list {list}: {problem}")
            : list,
        _ => options.DataSize.ToString(CultureInfo.InvariantCulture),
    };

    // Operations of one command are told apart by their number, from the second on.
    private static IEnumerable<OperationKeys> KeysByName(IReadOnlyList<MemtierOperation> operations)
    {
        var seen = new Dictionary<string, int>();
        foreach (var operation in operations)
        {
            var word = PhaseMix.NameOf(operation.Command);
            var count = seen[word] = seen.GetValueOrDefault(word) + 1;
            var name = count == 1 ? word : string.Create(CultureInfo.InvariantCulture, $"{word}-{count}");
            if (operation.Keys is { } keys && operation.Command.Contains("__key__", StringComparison.Ordinal))
                yield return new OperationKeys(name, keys);
        }
    }
}
