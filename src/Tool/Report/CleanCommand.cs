using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool.Report;

/// <summary>Removes old runs: their folders whole, nothing beside them, and nothing before <c>--yes</c>.</summary>
internal static class CleanCommand
{
    public static ServiceCommand Create() => new ServiceCommand<CleanOptions>(
        "clean",
        "Lists the saved runs that are older than a time, and with --yes removes them.",
        new OptionCatalogue<CleanOptions>("Clean")
            .AddArgument("FOLDER", o => o.Folder, Syntax.Text("FOLDER"), "The folder that contains the results folders")
            .Group("What")
            .Add("--older-than", o => o.OlderThan, Syntax.Duration(TimeSpan.Zero, TimeSpan.FromDays(36_500)),
                "How long ago a run was last written to")
            .Add("--yes", o => o.Yes, Syntax.Flag, "Remove them"),
        (run, _) => Task.FromResult(Clean(run.Options.Values)))
    {
        Examples =
        [
            new("What is older than thirty days", "clean results"),
            new("Remove what is older than a week", "clean results --older-than 7d --yes"),
        ],
    };

    private static int Clean(CleanOptions options)
    {
        var found = SavedRunsOf.Read([options.Folder]);
        var output = new StandardOutput();
        var now = TimeProvider.System.GetUtcNow();
        var old = found.Runs.Where(run => now - LastWrite(run) >= options.OlderThan).ToList();
        var (code, removed) = (SavedRunsOf.CodeOf(found), 0);
        foreach (var run in old)
        {
            if (options.Yes && Remove(run) is { } problem)
            {
                new Diagnostics().WriteLine($"{run.Folder} cannot be removed: {problem}");
                code = ExitCode.Combine(code, ExitCode.ResultsNotWritten);
                continue;
            }

            output.WriteLine($"{(options.Yes ? "removed" : "would remove")} {run.Folder}");
            removed++;
        }

        output.WriteLine($"{removed} of {found.Runs.Count} runs"
            + (old.Count > 0 && !options.Yes ? "; --yes removes them" : string.Empty));
        return output.End(code);
    }

    private static DateTime LastWrite(SavedRun run) =>
        Directory.EnumerateFiles(run.Folder).Select(File.GetLastWriteTimeUtc).Max();

    private static string? Remove(SavedRun run)
    {
        try
        {
            Directory.Delete(run.Folder, recursive: true);
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return failure.Message;
        }
    }
}

internal sealed class CleanOptions
{
    public string Folder { get; set; } = "results";
    public TimeSpan OlderThan { get; set; } = TimeSpan.FromDays(30);
    public bool Yes { get; set; }
}
