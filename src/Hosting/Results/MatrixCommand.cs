using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Matrix;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Results;

/// <summary>The verb <c>matrix</c>: the delays of saved runs, of keys or of messages, as a table of regions.</summary>
public static class MatrixCommand
{
    private const string Neither = "no run of delay or merged mesh";

    public static ServiceCommand Create() => new ServiceCommand<MatrixOptions>(
        "matrix",
        "Prints the delays of saved runs as one table of regions, on request with published ones.",
        new OptionCatalogue<MatrixOptions>("Matrix")
            .AddArguments("FOLDER", o => o.Folders, Syntax.Text("FOLDER"),
                "Results folders of delay runs and of merged meshes, or folders that contain them; delay runs of one "
                + "pair are combined",
                required: false)
            .Group("Output")
            .Add("--reference", o => o.Reference, Syntax.OptionalText("NAME", PublishedDelays.Problem),
                "Published figures to print beside: global-replica (Beijing, Shanghai, Shenzhen)")
            .Add("--format", o => o.Format, Syntax.Choice<MatrixFormat>(), "How the table is printed")
            .Rule(["FOLDER", "--reference"], o => o.Folders.Count == 0 && o.Reference is null
                ? "name a folder that a run of delay or a merged mesh left behind, or a reference to print"
                : null),
        (run, _) => Task.FromResult(Print(run.Options.Values)))
    {
        Examples =
        [
            new("All that lies in a folder of results", "matrix results"),
            new("Two runs, as Markdown",
                "matrix results/20261121-101500-a-vm results/20261121-101500-b-vm --format markdown"),
            new("A mesh beside what was published",
                "matrix results/20261121-101500-night-merged --reference global-replica"),
            new("Only what was published", "matrix --reference global-replica"),
        ],
    };

    private static int Print(MatrixOptions options)
    {
        var search = new SavedRunSearch(options.Folders);
        List<string> broken = [.. search.Skipped.Except(search.Empty)];
        var (delays, ways, others) = (new List<SavedDelay>(), new List<RegionWay>(), search.Empty.Count);
        var known = new KnownRuns();
        foreach (var run in search.Runs)
        {
            try
            {
                var found = SavedDelay.Read(run).ToList();
                var between = run.Record?.Regions?.Ways ?? [];
                var isOther = found.Count + between.Count == 0;
                others += isOther ? 1 : 0;
                if (!isOther && known.Add(run) is { } copy)
                {
                    broken.Add(copy);
                }
                else
                {
                    delays.AddRange(found);
                    ways.AddRange(between);
                }

                if (run.HasTornTail)
                    broken.Add($"the last line of {run.LogFile}, which is torn");
            }
            catch (SavedRunException failure)
            {
                broken.Add(failure.Message);
            }
        }

        if (delays.Count + ways.Count == 0 && options.Folders.Count > 0)
        {
            throw new ConfigurationException(broken.Count > 0
                ? string.Join("; ", broken)
                : $"{Neither} is in {string.Join(", ", options.Folders)}");
        }

        var diagnostics = new Diagnostics();
        broken.ForEach(skipped => diagnostics.WriteLine($"Skipped: {skipped}"));
        if (others > 0)
        {
            diagnostics.WriteLine(
                $"Skipped {others} of {search.Runs.Count + search.Skipped.Count} folders: {Neither}.");
        }

        var reference = PublishedDelays.All.FirstOrDefault(known => known.Name == options.Reference);
        List<DelayMatrix> matrices = [];
        if (delays.Count > 0 || ways.Count == 0)
            matrices.Add(DelayMatrix.OfKeys(delays, reference));
        if (ways.Count > 0)
            matrices.Add(DelayMatrix.OfMessages(ways, reference));
        List<Section> sections = [.. matrices.SelectMany(matrix => new MatrixTable(matrix).ToSections())];
        var output = new StandardOutput { IsDocument = options.Format != MatrixFormat.Text };
        switch (options.Format)
        {
            case MatrixFormat.Markdown:
                SectionMarkdown.Write(output, sections);
                break;
            case MatrixFormat.Csv:
                new MatrixExport(matrices).WriteCsv(output);
                break;
            case MatrixFormat.Json:
                new MatrixExport(matrices).WriteJson(output);
                break;
            default:
                SectionText.Write(output, sections);
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
