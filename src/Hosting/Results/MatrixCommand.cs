using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Matrix;
using RedisLatency.Reports.SavedRuns;
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
        var read = options.Folders.SelectMany(ReadAll).ToList();
        var skipped = read.Count(runs => runs.Count == 0);
        if (skipped > 0 && skipped == read.Count)
            throw new ConfigurationException($"no run of delay is in {string.Join(", ", options.Folders)}");
        if (skipped > 0)
            new Diagnostics().WriteLine($"Skipped {skipped} of {read.Count} folders: no run of delay.");
        var reference = PublishedDelays.All.FirstOrDefault(known => known.Name == options.Reference);
        var matrix = new DelayMatrix([.. read.SelectMany(runs => runs)], reference);
        var output = new StandardOutput { IsDocument = options.Format != MatrixFormat.Text };
        switch (options.Format)
        {
            case MatrixFormat.Markdown:
                new MatrixTable(matrix).WriteMarkdown(output);
                break;
            case MatrixFormat.Csv:
                new MatrixExport(matrix).WriteCsv(output);
                break;
            case MatrixFormat.Json:
                new MatrixExport(matrix).WriteJson(output);
                break;
            default:
                new MatrixTable(matrix).WriteText(output);
                break;
        }

        return output.End(ExitCode.Valid);
    }

    private static IReadOnlyList<IReadOnlyList<SavedDelay>> ReadAll(string folder)
    {
        try
        {
            return SavedDelay.ReadAll(folder);
        }
        catch (SavedRunException failure)
        {
            throw new ConfigurationException(failure.Message);
        }
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
