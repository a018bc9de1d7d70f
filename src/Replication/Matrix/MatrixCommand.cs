using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;

namespace RedisLatency.Replication.Matrix;

internal static class MatrixCommand
{
    public static ServiceCommand Create() => new ServiceCommand<MatrixOptions>(
        "matrix",
        "Prints the delays of saved runs as one table of regions, beside published ones if wanted.",
        new OptionCatalogue<MatrixOptions>("Matrix")
            .AddArguments("FOLDER", o => o.Folders, Syntax.Text("FOLDER"),
                "Folders that runs of delay left behind, or folders of such folders; runs of one pair are put together",
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
            new("Two runs, as Markdown", "matrix results/20261121-101500-a-vm results/20261121-101500-b-vm --format markdown"),
            new("Only what was published", "matrix --reference global-replica"),
        ],
    };

    private static int Print(MatrixOptions options)
    {
        var runs = options.Folders.SelectMany(SavedDelay.ReadAll).ToList();
        var reference = PublishedDelays.All.FirstOrDefault(known => known.Name == options.Reference);
        var matrix = new DelayMatrix(runs, reference);
        var output = new StandardOutput();
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

        output.Flush();
        return output.IsClosed && options.Format != MatrixFormat.Text ? ExitCode.ResultsNotWritten : ExitCode.Valid;
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
