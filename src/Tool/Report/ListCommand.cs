using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool.Report;

internal static class ListCommand
{
    public static ServiceCommand Create() => new ServiceCommand<ListOptions>(
        "list",
        "Lists saved runs: target, verdict, p50 and p99.",
        new OptionCatalogue<ListOptions>("List").AddArguments(
            "FOLDER", o => o.Folders, Syntax.Text("FOLDER"),
            "Results folders, or folders that contain them; results where none is named", required: false),
        (run, _) => Task.FromResult(List(run.Options.Values)))
    {
        Examples = [new("What lies in a folder of results", "list results")],
    };

    private static int List(ListOptions options)
    {
        var found = SavedRunsOf.Read(options.Folders.Count > 0 ? options.Folders : ["results"]);
        var output = new StandardOutput();
        SectionText.Write(output, SavedRunTable.Of(found.Runs));
        return output.End(SavedRunsOf.CodeOf(found));
    }
}

internal sealed class ListOptions
{
    public IReadOnlyList<string> Folders { get; set; } = [];
}
