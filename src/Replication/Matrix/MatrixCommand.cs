using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;
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
            new("Two runs, as Markdown",
                "matrix results/20261121-101500-a-vm results/20261121-101500-b-vm --format markdown"),
            new("Only what was published", "matrix --reference global-replica"),
        ],
    };

    private static int Print(MatrixOptions options)
    {
        var runs = options.Folders.SelectMany(SavedDelay.ReadAll).ToList();
        var reference = PublishedDelays.All.FirstOrDefault(known => known.Name == options.Reference);
        var matrix = new DelayMatrix(runs, reference);
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

internal sealed class MatrixExport(DelayMatrix matrix)
{
    public void WriteCsv(TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow(
            "source", "destination", "average_ms", "p95_ms", "p99_ms", "average_least_ms", "average_most_ms", "read",
            "not_read", "runs", "runs_in_doubt", "published_average_ms", "published_p95_ms", "published_p99_ms",
            "p95_least_ms",
            "p95_most_ms", "p99_least_ms", "p99_most_ms", "average_error_ms");
        foreach (var row in matrix.Rows)
        {
            csv.WriteRow(
                row.Source, row.Destination, Show(row.Measured.Average), Show(row.Measured.P95), Show(row.Measured.P99),
                Show(row.Least.Average), Show(row.Most.Average), Show(row.Read), Show(row.NotRead), Show(row.Runs),
                Show(row.RunsInDoubt), Show(row.Published?.Average), Show(row.Published?.P95), Show(row.Published?.P99),
                Show(row.Least.P95), Show(row.Most.P95), Show(row.Least.P99), Show(row.Most.P99),
                Show(row.AverageError));
        }
    }

    public void WriteJson(TextWriter writer) =>
        JsonOutput.Write(writer, new { Reference = matrix.Reference?.Name, Pairs = matrix.Rows });

    private static string Show(long count) => count.ToString(CultureInfo.InvariantCulture);

    private static string Show(double? nanoseconds) =>
        nanoseconds is { } value ? (value / 1e6).ToString("0.######", CultureInfo.InvariantCulture) : string.Empty;
}
