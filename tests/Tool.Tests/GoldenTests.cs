using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;

namespace RedisLatency.Tool.Tests;

/// <summary>
/// What is printed without measuring, to the letter: help, wrong usage, and everything that is made of saved runs
/// (<c>tests/Golden</c>).
/// </summary>
public sealed partial class GoldenTests
{
    private const string Prompt = "$ ";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Sessions_PrintWhatWasRecorded()
    {
        var differences = new ConcurrentBag<string>();

        await Parallel.ForEachAsync(
            Sessions(),
            new ParallelOptions
            {
                MaxDegreeOfParallelism = Environment.ProcessorCount,
                CancellationToken = Cancellation,
            },
            async (file, _) => differences.Add(await DifferenceOf(file)));

        string.Concat(differences.Order(StringComparer.Ordinal)).ShouldBeEmpty();
    }

    // -h and --help of another tool's command line are that tool's, and recorded as well.
    [Fact]
    public void Sessions_HaveTheHelpOfEveryVerb()
    {
        var asked = Sessions().SelectMany(File.ReadLines).ToHashSet();

        Below(ToolProgram.Create(), "redis-latency")
            .SelectMany(words => (string[])[$"{Prompt}{words} -h", $"{Prompt}{words} --help"])
            .Where(line => !asked.Contains(line))
            .ShouldBeEmpty("Add these lines to tests/Golden/sessions/help-….txt.");
    }

    private static IEnumerable<string> Sessions() =>
        Directory.EnumerateFiles(Path.Combine(GoldenFile.Folder, "sessions"), "*.txt");

    // A session's commands follow each other in one folder, in which the saved runs are.
    private static async Task<string> DifferenceOf(string file)
    {
        var folder = Directory.CreateTempSubdirectory("redislatency-golden-").FullName;
        try
        {
            var programs = ProgramIn(folder);
            var work = Directory.CreateDirectory(Path.Combine(folder, "work")).FullName;
            await Copy(Path.Combine(GoldenFile.Folder, "runs"), Path.Combine(work, "runs"));
            var now = new StringBuilder();
            foreach (var line in await File.ReadAllLinesAsync(file, Cancellation))
            {
                if (line.StartsWith(Prompt, StringComparison.Ordinal))
                    now.Append(line).Append('\n').Append(await Run(line[Prompt.Length..], work, programs));
            }

            return await GoldenFile.DifferenceOf($"sessions/{Path.GetFileName(file)}", now.ToString());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static IEnumerable<string> Below(ServiceCommand command, string words) =>
        command.Verbs.SelectMany(verb => Below(verb, $"{words} {verb.Name}")).Prepend(words);

    // In a checkout a program that is not native calls itself `dotnet run …`. A copy elsewhere prints what it prints
    // where it is installed.
    private static string ProgramIn(string folder)
    {
        var programs = Directory.CreateDirectory(Path.Combine(folder, "bin")).FullName;
        if (BuiltProgram.IsNative)
        {
            File.CreateSymbolicLink(Path.Combine(programs, "redis-latency"), BuiltProgram.Path);
            return programs;
        }

        foreach (var file in Directory.EnumerateFiles(Path.GetDirectoryName(BuiltProgram.Path)!))
            File.Copy(file, Path.Combine(programs, Path.GetFileName(file)));
        return programs;
    }

    private static async Task Copy(string from, string to)
    {
        using var copy = Process.Start("cp", ["-R", from, to]);
        await copy.WaitForExitAsync(Cancellation);
    }

    // What a line printed, indented; what it said on standard error after "! "; an exit code that is not 0.
    private static async Task<string> Run(string line, string folder, string programs)
    {
        var start = new ProcessStartInfo("bash", ["-o", "pipefail", "-c", line])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        foreach (var name in start.Environment.Keys.Where(IsOurs).ToList())
            start.Environment.Remove(name);
        start.Environment["PATH"] = $"{programs}:{start.Environment["PATH"]}";
        start.Environment["TZ"] = "UTC";
        start.Environment["NO_COLOR"] = "1";
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync(Cancellation);
        var errors = process.StandardError.ReadToEndAsync(Cancellation);
        await process.WaitForExitAsync(Cancellation).WaitAsync(ServiceProcess.LimitAgainstHangs, Cancellation);
        var printed = Lines("  ", await output) + Lines("! ", await errors)
            + (process.ExitCode == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"exit {process.ExitCode}\n"));
        return ResultsLine().Replace(Commit().Replace(printed, "+COMMIT"), "results: ${show} FOLDER")
            .Replace(folder, "WORK", StringComparison.Ordinal);
    }

    private static bool IsOurs(string name) => name.StartsWith("REDIS", StringComparison.OrdinalIgnoreCase);

    private static string Lines(string head, string text) => text.Length == 0
        ? ""
        : string.Concat(text.TrimEnd('\n').Split('\n').Select(line => $"{(line.Length == 0 ? "" : head)}{line}\n"));

    [GeneratedRegex(@"(\+|&#x2B;)[0-9a-f]{7,40}", RegexOptions.ExplicitCapture)]
    private static partial Regex Commit();

    // How the line breaks depends on where temporary files lie.
    [GeneratedRegex(@"results: (?<show>.* show) /\S+", RegexOptions.ExplicitCapture)]
    private static partial Regex ResultsLine();
}
