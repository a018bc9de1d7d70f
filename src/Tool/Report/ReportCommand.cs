using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Matrix;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool.Report;

/// <summary>The word <c>report</c>: what saved runs say, looked at and compared.</summary>
internal static class ReportCommand
{
    private const string PageName = "report.html";

    public static ServiceCommand Create(string name) => new ServiceCommand<ReportOptions>(
        name,
        "Makes an HTML page of saved runs; lists, shows and compares them.",
        new OptionCatalogue<ReportOptions>("Report")
            .AddArguments("RUN", o => o.Runs, Syntax.Text("RUN"),
                "Results folders, or folders that contain them, for one page of HTML", required: false)
            .Group("Output")
            .Add("--file", o => o.File, Syntax.OptionalText("FILE"),
                $"Where the page is written; {PageName} in the folder of the run, of several in this one")
            .Add("--format", o => o.Format, Syntax.Choice<ReportFormat>(),
                "A page, or Markdown for a pull request, which is printed"),
        (run, _) => Report(run.Options.Values))
    {
        IsProgram = true,
        Examples =
        [
            new("One run as a page", "results/FOLDER"),
            new("What lies in a folder of results", "list results"),
            new("Runs before a change and after it", "compare results/before results/after"),
        ],
        Verbs =
        [
            CleanCommand.Create(),
            CompareCommand.Create(),
            ListCommand.Create(),
            MatrixCommand.Create(),
            ShowCommand.Create(),
        ],
    };

    private static async Task<int> Report(ReportOptions options)
    {
        if (options.Runs.Count == 0)
        {
            throw new ConfigurationException(
                "name a run, or a command: list, show, compare, matrix or clean");
        }

        var found = SavedRunsOf.Read(options.Runs);
        var (pages, folders) = (new List<PageRun>(), new List<SavedRun>());
        var delays = new List<SavedDelay>();
        var diagnostics = new Diagnostics();
        var code = ExitCode.Valid;
        foreach (var run in found.Runs)
        {
            try
            {
                pages.Add(new PageRun(run));
                folders.Add(run);
                delays.AddRange(SavedDelay.Read(run));
            }
            catch (SavedRunException failure)
            {
                diagnostics.WriteLine($"Skipped: {failure.Message}");
                code = ExitCode.NotValid;
            }
        }

        code = ExitCode.Combine(code, SavedRunsOf.CodeOf(found));
        var output = new StandardOutput { IsDocument = options.Format != ReportFormat.Html };
        if (pages.Count == 0)
            return output.End(code);
        if (options.Format == ReportFormat.Markdown)
        {
            RunMarkdown.Write(output, pages);
            return output.End(code);
        }

        var file = options.File ?? (folders.Count == 1 ? Path.Combine(folders[0].Folder, PageName) : PageName);
        try
        {
            await Write(file, pages, delays.Count > 1 ? new DelayMatrix(delays, null) : null);
            output.WriteLine(file);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            diagnostics.WriteLine($"{file} cannot be written: {failure.Message}");
            code = ExitCode.Combine(code, ExitCode.ResultsNotWritten);
        }

        return output.End(code);
    }

    // Beside its name, then renamed: who looks at it meanwhile sees the old one or the new one.
    private static async Task Write(string file, List<PageRun> pages, DelayMatrix? matrix)
    {
        var partial = $"{file}.partial";
        await using (var writer = new StreamWriter(partial, append: false, new UTF8Encoding(false)))
            await RunPage.WriteAsync(writer, pages, matrix, $"Made by RedisLatency {ProgramVersion.Text}.");
        File.Move(partial, file, overwrite: true);
    }
}

internal sealed class ReportOptions
{
    public IReadOnlyList<string> Runs { get; set; } = [];
    public string? File { get; set; }
    public ReportFormat Format { get; set; }
}

internal enum ReportFormat
{
    Html,
    Markdown,
}
