using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Matrix;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Results;

/// <summary>The verb <c>matrix</c>: the replication delays of saved runs as one table of regions.</summary>
public static class MatrixCommand
{
    public static ServiceCommand Create() => new ServiceCommand<MatrixOptions>(
        "matrix",
        "Prints the delays of saved runs as one table of regions, on request with published ones.",
        new OptionCatalogue<MatrixOptions>("Matrix")
            .AddArguments("FOLDER", o => o.Folders, Syntax.Text("FOLDER"),
                "Results folders of delay runs, or folders that contain them; runs of one pair are combined",
                required: false)
            .Group("Output")
            .Add("--reference", o => o.Reference, Syntax.OptionalText("NAME", PublishedDelays.Problem),
                "Published figures to print beside: global-replica (Beijing, Shanghai, Shenzhen)")
            .Add("--format", o => o.Format, Syntax.Choice<MatrixFormat>(), "How the table is printed")
            .Rule(["FOLDER", "--reference"], o => o.Folders.Count == 0 && o.Reference is null
                ? "name a folder that a run of delay left behind, or a reference to print"
                : null),
        (run, _) => Task.FromResult(Print(run.Options.Values)))
    {
        Examples =
        [
            new("All that lies in a folder of results", "matrix results"),
            new("Two runs, as Markdown",
                "matrix results/20261121-101500-a-vm results/20261121-101500-b-vm --format markdown"),
            new("Only what was published", "matrix --reference global-replica"),
        ],
    };

    private static int Print(MatrixOptions options)
    {
        var search = new SavedRunSearch(options.Folders);
        List<string> broken = [.. search.Skipped.Except(search.Empty)];
        var (delays, others, known) = (new List<SavedDelay>(), search.Empty.Count, new KnownRuns());
        foreach (var run in search.Runs)
        {
            try
            {
                var found = SavedDelay.Read(run).ToList();
                others += found.Count == 0 ? 1 : 0;
                if (found.Count > 0 && known.Add(run) is { } copy)
                    broken.Add(copy);
                else
                    delays.AddRange(found);
                if (run.HasTornTail)
                    broken.Add($"the last line of {run.LogFile}, which is torn");
            }
            catch (SavedRunException failure)
            {
                broken.Add(failure.Message);
            }
        }

        if (delays.Count == 0 && options.Folders.Count > 0)
        {
            throw new ConfigurationException(broken.Count > 0
                ? string.Join("; ", broken)
                : $"no run of delay is in {string.Join(", ", options.Folders)}");
        }

        var diagnostics = new Diagnostics();
        broken.ForEach(skipped => diagnostics.WriteLine($"Skipped: {skipped}"));
        if (others > 0)
        {
            diagnostics.WriteLine(
                $"Skipped {others} of {search.Runs.Count + search.Skipped.Count} folders: no run of delay.");
        }

        var reference = PublishedDelays.All.FirstOrDefault(known => known.Name == options.Reference);
        var matrix = new DelayMatrix(delays, reference);
        var output = new StandardOutput { IsDocument = options.Format != MatrixFormat.Text };
        switch (options.Format)
        {
            case MatrixFormat.Markdown:
                SectionMarkdown.Write(output, new MatrixTable(matrix).ToSections());
                break;
            case MatrixFormat.Csv:
                new MatrixExport(matrix).WriteCsv(output);
                break;
            case MatrixFormat.Json:
                new MatrixExport(matrix).WriteJson(output);
                break;
            default:
                SectionText.Write(output, new MatrixTable(matrix).ToSections());
                break;
        }

        return output.End(broken.Count > 0 ? ExitCode.NotValid : ExitCode.Valid);
    }
}

internal sealed class MatrixOptions
{
    public IReadOnlyList<string> Folders { get; set; } = [];
    public string? Reference { get; set; }
    public MatrixFormat Format { get; set; }
}

internal enum MatrixFormat
{
    Text,
    Markdown,
    Csv,
    Json,
}
