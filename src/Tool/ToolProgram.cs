using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Consumer;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Lab;
using RedisLatency.Producer;
using RedisLatency.Replication;
using RedisLatency.Sync;
using RedisLatency.Tool.Report;
using RedisLatency.Workloads;

namespace RedisLatency.Tool;

/// <summary>All services as words of one program: <c>redis-latency producer</c> is the Producer.</summary>
public static partial class ToolProgram
{
    internal const string Name = "redis-latency";
    private const string Replication = "replication";

    // Made when it is asked for: the options of all of them are a third of what a short run takes.
    private static readonly IReadOnlyList<(string Word, Func<ServiceCommand> Create)> Programs =
    [
        ("producer", () => ProducerProgram.Create("producer")),
        ("consumer", () => ConsumerProgram.Create("consumer")),
        ("mesh", () => MeshProgram.Create("mesh")),
        ("load", () => WorkloadsProgram.Create("load")),
        (Replication, () => ReplicationProgram.Create(Replication)),
        .. SyncProgram.Verbs.Select(verb => (verb, new Func<ServiceCommand>(() => SyncProgram.CreateVerb(verb)))),
        ("lab", () => LabProgram.Create("lab")),
        ("report", () => ReportCommand.Create("report")),
    ];

    // What other tools, and people, call it.
    private static readonly Dictionary<string, string> Synonyms = new(StringComparer.Ordinal)
    {
        ["copy clone migrate mirror replicate shake redis-shake redisshake"] = $"{Name} sync",
        ["bench benchmark stress"] = $"{Name} load",
        ["ping latency pubsub publish publisher"] = $"{Name} producer",
        ["subscribe subscriber"] = $"{Name} consumer",
        ["lag"] = $"{Name} replication delay",
        ["diff"] = $"{Name} report compare",
    };

    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        if (arguments is [var directive, var line] && Suggestion().Match(directive) is { Success: true } asked)
            return Suggest(int.Parse(asked.Groups[1].ValueSpan, CultureInfo.InvariantCulture), line);
        // Where the verbs of the synchroniser were once.
        if (arguments is [Replication, var moved, ..] && SyncProgram.Verbs.Contains(moved))
            arguments = [.. arguments.Skip(1)];
        if (arguments.Count > 0 && SyncProgram.Verbs.Contains(arguments[0]))
            return SyncProgram.RunAsync(Name, arguments, Elsewhere);
        // Of the service alone, as below: a tree of all of them has `load load` in it.
        if (arguments is ["config", "show", var shown, ..] && !SyncProgram.Verbs.Contains(shown)
            && ServiceOf(shown) is { } one)
        {
            return Within(one).RunAsync(["config", "show", .. arguments.Skip(3)]);
        }

        if (arguments.Count == 0 || ServiceOf(arguments[0]) is not { } service)
        {
            return new CommandLineProgram(arguments is ["--version"] ? Create([]) : Create())
            {
                Elsewhere = word => Synonyms.FirstOrDefault(row => row.Key.Split(' ').Contains(word)).Value
                    ?? Elsewhere(word)
                    ?? (word.AsSpan().ContainsAny(".:@") ? $"{Name} producer {EndpointSyntax.Mask(word)}" : null),
            }.RunAsync(arguments);
        }

        string[] rest = [.. arguments.Skip(1)];
        return Within(service).RunAsync(service.Name == Replication ? ReplicationProgram.WithOriginal(rest) : rest);
    }

    // A program by itself, not a branch of one tree: System.CommandLine (3.0.0) fails where a command and its parent
    // have one name, as in `load load`.
    private static CommandLineProgram Within(ServiceCommand service) =>
        new(service) { Within = Name, Elsewhere = Elsewhere };

    // A verb of another service with what leads to it; of an option what tells who takes it.
    private static string? Elsewhere(string word)
    {
        if (word.StartsWith('-'))
        {
            return AllOf(Create()).SelectMany(command => command.Options)
                .Any(option => !option.IsArgument && option.Names.Contains(word))
                ? $"{Name} help {word.TrimStart('-')}" : null;
        }

        var places = Paths(Create(), Name).Where(path => path.EndsWith($" {word}", StringComparison.Ordinal)).ToList();
        return places.Count == 0 ? null : string.Join(", ", places);
    }

    private static IEnumerable<ServiceCommand> AllOf(ServiceCommand command) =>
        command.Verbs.SelectMany(AllOf).Prepend(command);

    private static IEnumerable<string> Paths(ServiceCommand command, string path) =>
        command.Verbs.SelectMany(verb => Paths(verb, $"{path} {verb.Name}").Prepend($"{path} {verb.Name}"));

    private static ServiceCommand? ServiceOf(string word) =>
        Programs.FirstOrDefault(program => program.Word == word).Create?.Invoke();

    // The shell gives the whole line: the service's part of it goes to the service, without the word that names it.
    private static Task<int> Suggest(int position, string line)
    {
        var words = FirstWords().Match(line);
        if (SyncProgram.Verbs.Contains(words.Groups[1].Value))
            return Ask(new CommandLineProgram(SyncProgram.Create(Name)), line, 0);
        return words.Success && ServiceOf(words.Groups[1].Value) is { } service
            ? Ask(Within(service), line.Remove(words.Groups[1].Index, words.Groups[1].Length), words.Groups[1].Length)
            : Ask(new CommandLineProgram(Create()), line, 0);

        Task<int> Ask(CommandLineProgram program, string shorter, int by) =>
            program.RunAsync([string.Create(CultureInfo.InvariantCulture, $"[suggest:{position - by}]"), shorter]);
    }

    [GeneratedRegex(@"^\[suggest:(\d{1,6})\]$")]
    private static partial Regex Suggestion();

    [GeneratedRegex(@"^\s*\S+\s+(\S+)\s")]
    private static partial Regex FirstWords();

    internal static ServiceCommand Create() => Create(
        [
            .. Programs.Select(program => program.Create()),
            WatchCommand.Create(), ShowCommand.Create(), HealthCommand.Create(), CompletionScript.Create(),
        ]);

    private static CommandGroup Create(IReadOnlyList<ServiceCommand> verbs) => new(
        Name, "Measures the latency of Redis, and reports the uncertainty of every number.")
    {
        IsProgram = true,
        Examples =
        [
            new("Measure the tool's own floor; no server needed", "producer"),
            new("Measure round trips through a server", "producer host:6379"),
            new("Load a server with YCSB's workload A", "load host:6379 --workload a --records 1m"),
            new("How far a replica is behind", "replication delay a:6379 b:6379"),
            new("Copy one Redis to another", "sync a:6379 b:6379"),
        ],
        Verbs = verbs,
    };
}
