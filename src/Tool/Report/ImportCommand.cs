using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool.Report;

/// <summary>Files that other tools wrote, each as a results folder, to be shown and compared like any other.</summary>
internal static class ImportCommand
{
    private const string Instance = "imported";

    public static ServiceCommand Create() => new ServiceCommand<ImportOptions>(
        "import",
        "Makes results folders of what memtier, redis-benchmark, YCSB, RedisShake and HdrHistogram wrote.",
        new OptionCatalogue<ImportOptions>("Import")
            .AddArguments("FILE", o => o.Files, Syntax.Text("FILE"),
                "JSON, CSV, text, an interval log or a percentile distribution; what it is its first lines say")
            .Group("What")
            .Add("--unit", o => o.Unit, Syntax.Choice<ImportUnit>(),
                "Of the values, where the file does not say it: interval logs, percentile distributions")
            .Add("--series", o => o.Series, Syntax.Text("NAME", NameProblem),
                "What a series without a name is called: service, response, rtt, rtt-intended …")
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Group("Output")
            .Add("--out", o => o.Out, Syntax.Text("FOLDER"), "Where the results folders are created"),
        (run, _) => Task.FromResult(Import(run.Options.Values)))
    {
        Examples =
        [
            new("An old measurement, to compare a new one with", "import memtier.json --out old"),
            new("Whose file does not say its unit", "import wrk2.hlog --unit us --series response"),
        ],
    };

    private static int Import(ImportOptions options)
    {
        var (diagnostics, output, code) = (new Diagnostics(), new StandardOutput(), ExitCode.Valid);
        foreach (var file in options.Files)
        {
            try
            {
                output.WriteLine(Import(options, file));
            }
            catch (ImportException failure)
            {
                diagnostics.WriteLine(failure.Message);
                code = ExitCode.Usage;
            }
        }

        return output.End(code);
    }

    private static string Import(ImportOptions options, string file)
    {
        var import = new RunImport(file, new ImportQuestions(options.Unit, options.Series));
        return import.WriteTo(
            options.Out, options.Identity.Run ?? import.Tool, options.Identity.Instance ?? Instance,
            options.Identity.Region, ProgramVersion.Text);
    }

    private static string? NameProblem(string name) =>
        name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '.') ? null
            : "letters, digits, '-' and '.' are allowed";
}

internal sealed class ImportOptions
{
    public IReadOnlyList<string> Files { get; set; } = [];
    public ImportUnit Unit { get; set; }
    public string Series { get; set; } = Measured.Service;
    public IdentityOptions Identity { get; set; } = new();
    public string Out { get; set; } = "results";
}
