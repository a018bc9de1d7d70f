using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Matrix;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool.Report;

/// <summary>The command <c>report</c>: shows saved runs and compares them.</summary>
internal static class ReportCommand
{
    private const string PageName = "report.html";

    private static readonly string[] Verbs = ["clean", "compare", "import", "list", "matrix", "merge", "show"];

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
                "A page; Markdown for a pull request, or json, csv and the percentile distributions (hgrm) of one run, "
                + "which are printed"),
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
            ImportCommand.Create(),
            ListCommand.Create(),
            MatrixCommand.Create(),
            MergeCommand.Create(),
            ShowCommand.Create(),
        ],
    };

    private static async Task<int> Report(ReportOptions options)
    {
        if (options.Runs.Count == 0)
        {
            throw new ConfigurationException(
                "name a run, or a command: list, show, compare, merge, import, matrix or clean");
        }

        var wrong = options.Runs.FirstOrDefault(run => !Path.Exists(run) && NearestName.Of(run, Verbs) is not null);
        if (wrong is not null)
            throw new ConfigurationException($"{wrong}: no such folder{NearestName.Question(wrong, Verbs)}");
        var found = SavedRunsOf.Read(options.Runs);
        var output = new StandardOutput();
        var code = SavedRunsOf.CodeOf(found);
        return output.End(ExitCode.Combine(code, options.Format switch
        {
            ReportFormat.Json => Print(found.Runs, ShowFormat.Json, output),
            ReportFormat.Csv => Print(found.Runs, ShowFormat.Csv, output),
            ReportFormat.Hgrm => Print(found.Runs, ShowFormat.Hgrm, output),
            _ => await Draw(found.Runs, options, output),
        }));
    }

    private static int Print(IReadOnlyList<SavedRun> runs, ShowFormat format, StandardOutput output) =>
        runs is [var run]
            ? ShowCommand.Print(run, format, hasDetails: true, output)
            : throw new ConfigurationException(
                $"--format {format.ToString().ToLowerInvariant()} is of one run, and these are {runs.Count}");

    private static async Task<int> Draw(IReadOnlyList<SavedRun> runs, ReportOptions options, StandardOutput output)
    {
        var (pages, delays) = (new List<(SavedRun Run, PageRun Page)>(), new List<SavedDelay>());
        var (known, counted) = (new KnownRuns(), new List<RunRecord>());
        var code = ExitCode.Valid;
        foreach (var run in runs)
        {
            try
            {
                var (page, found) = (new PageRun(run), SavedDelay.Read(run).ToList());
                pages.Add((run, page));
                if (known.Add(run) is { } copy)
                {
                    new Diagnostics().WriteLine($"Not in the tables of regions: {copy}");
                }
                else
                {
                    delays.AddRange(found);
                    counted.AddRange(run.Record is { } record ? [record] : Array.Empty<RunRecord>());
                }

                if (run.HasTornTail)
                    code = ExitCode.NotValid;
            }
            catch (SavedRunException failure)
            {
                new Diagnostics().WriteLine($"Skipped: {failure.Message}");
                code = ExitCode.NotValid;
            }
        }

        if (pages.Count == 0)
            return code;
        if (options.Format == ReportFormat.Markdown)
        {
            output.IsDocument = true;
            RunMarkdown.Write(output, [.. pages.Select(one => one.Page)]);
            return code;
        }

        var file = options.File ?? (pages is [var (only, _)] ? Path.Combine(only.Folder, PageName) : PageName);
        List<(string, IReadOnlyList<Section>)> regions = [];
        if (delays.Count > 1)
        {
            regions.Add((
                "Replication delay between regions", new MatrixTable(DelayMatrix.OfKeys(delays, null)).ToSections()));
        }

        if (RecordRegions.Of(counted.SelectMany(RecordRegions.WaysOf)) is { } oneWay)
            regions.Add(("One way between regions", RegionSections.Of(oneWay)));
        var written = await PageFile.Write(file, writer => RunPage.WriteAsync(
            writer, [.. pages.Select(one => one.Page)], regions, PageFile.Footer));
        if (written == ExitCode.Valid)
            output.WriteLine(file);
        return ExitCode.Combine(code, written);
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
    Json,
    Csv,
    Hgrm,
}
