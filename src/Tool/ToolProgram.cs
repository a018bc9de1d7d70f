using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Consumer;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Lab;
using RedisLatency.Producer;
using RedisLatency.Replication;
using RedisLatency.Tool.Report;
using RedisLatency.Workloads;

namespace RedisLatency.Tool;

/// <summary>All services as words of one program: <c>redis-latency producer</c> is the Producer.</summary>
public static partial class ToolProgram
{
    internal const string Name = "redis-latency";
    private const string Replication = "replication";

    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        var tool = Create();
        if (arguments is [var directive, var line] && Suggestion().Match(directive) is { Success: true } asked)
            return Suggest(tool, int.Parse(asked.Groups[1].ValueSpan, CultureInfo.InvariantCulture), line);
        if (arguments.Count == 0 || ServiceOf(tool, arguments[0]) is not { } service)
            return new CommandLineProgram(tool).RunAsync(arguments);
        string[] rest = [.. arguments.Skip(1)];
        return Within(service).RunAsync(service.Name == Replication ? ReplicationProgram.WithOriginal(rest) : rest);
    }

    // A program by itself, not a branch of one tree: System.CommandLine (2.0.15) fails where a command and its parent
    // have one name, as in `load load`.
    private static CommandLineProgram Within(ServiceCommand service) => new(service) { Within = Name };

    private static ServiceCommand? ServiceOf(ServiceCommand tool, string word) =>
        tool.Verbs.FirstOrDefault(verb => verb.IsProgram && verb.Name == word);

    // The shell gives the whole line: the service's part of it goes to the service, without the word that names it.
    private static Task<int> Suggest(ServiceCommand tool, int position, string line)
    {
        var words = FirstWords().Match(line);
        return words.Success && ServiceOf(tool, words.Groups[1].Value) is { } service
            ? Ask(Within(service), line.Remove(words.Groups[1].Index, words.Groups[1].Length), words.Groups[1].Length)
            : Ask(new CommandLineProgram(tool), line, 0);

        Task<int> Ask(CommandLineProgram program, string shorter, int by) =>
            program.RunAsync([string.Create(CultureInfo.InvariantCulture, $"[suggest:{position - by}]"), shorter]);
    }

    [GeneratedRegex(@"^\[suggest:(\d{1,6})\]$")]
    private static partial Regex Suggestion();

    [GeneratedRegex(@"^\s*\S+\s+(\S+)\s")]
    private static partial Regex FirstWords();

    internal static ServiceCommand Create() => new ServiceCommand<ToolOptions>(
        Name,
        "Measures the latency of Redis, and reports the uncertainty of every number.",
        new OptionCatalogue<ToolOptions>("Tool"),
        (_, _) => throw new ConfigurationException(
            "a command is needed: producer, consumer, load, replication, lab, report, show FOLDER, or "
            + "completion SHELL"))
    {
        IsProgram = true,
        Examples =
        [
            new("Measure the tool's own floor; no server needed", "producer"),
            new("Measure round trips through a server; a Consumer answers", "producer --redis host:6379"),
            new("Load a server with YCSB's workload A", "load --redis host:6379 --workload a --records 1m"),
            new("How far a replica is behind", "replication delay --source a:6379 --destination b:6379"),
        ],
        Verbs =
        [
            ProducerProgram.Create("producer"),
            ConsumerProgram.Create("consumer"),
            WorkloadsProgram.Create("load"),
            ReplicationProgram.Create(Replication),
            LabProgram.Create("lab"),
            ReportCommand.Create("report"),
            ShowCommand.Create(),
            CompletionScript.Create(),
        ],
    };
}

internal sealed class ToolOptions;
