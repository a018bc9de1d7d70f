using RedisLatency.Hosting.Running;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Options;

/// <summary>What a run prints and leaves behind, and what it must fulfil.</summary>
public sealed class OutputOptions
{
    public string Folder { get; set; } = "results";
    public OutputFormat Format { get; set; } = OutputFormat.Text;

    /// <summary>Whether everything is printed that is known of the run, and not one screen.</summary>
    public bool Details { get; set; }

    public LiveView Live { get; set; } = LiveView.Auto;
    public bool Quiet { get; set; }

    /// <summary>Whether more is told about what goes on, and where an error arose.</summary>
    public bool Verbose { get; set; }

    public IReadOnlyList<Threshold> Thresholds { get; set; } = [];

    /// <summary>Whether a run that is measured but in doubt ends with 4 instead of 0.</summary>
    public bool Strict { get; set; }

    /// <summary>How much is said on standard error.</summary>
    public Verbosity Verbosity => (Quiet, Verbose) switch
    {
        (true, _) => Verbosity.Quiet,
        (_, true) => Verbosity.Verbose,
        _ => Verbosity.Normal,
    };
}

/// <summary>What is shown while a run goes on.</summary>
public enum LiveView
{
    /// <summary>A table on a terminal, lines where output is redirected.</summary>
    Auto,

    /// <summary>A table that is drawn over.</summary>
    Rich,

    Plain,

    /// <summary>Nothing; the reference for published numbers.</summary>
    None,
}

/// <summary>How results are printed on standard output.</summary>
public enum OutputFormat
{
    Text,
    Json,
    Csv,
}

/// <summary>The options that say what is printed and kept; every service includes them.</summary>
public static class OutputCatalogue
{
    /// <summary>The option that has errors shown with where they arose.</summary>
    internal const string Verbose = "--verbose";

    /// <summary>The option that leaves out all but results and errors.</summary>
    internal const string Quiet = "--quiet";

    /// <summary>The option that has all of a run printed, and not one screen.</summary>
    public const string Details = "--details";

    /// <summary>What it does.</summary>
    public const string DetailsHelp = "Print everything about the run instead of one screen";

    /// <summary>The options of the group Output, in the section Output.</summary>
    /// <param name="thresholdProblem">
    /// Says what is wrong with a threshold, or null: the service checks it against the metrics it has by
    /// <see cref="MetricThresholds.Validate"/>.
    /// </param>
    /// <param name="examples">Two of the service's thresholds, for the help.</param>
    public static OptionCatalogue<OutputOptions> Create(
        Func<Threshold, string?> thresholdProblem, string examples = "'rtt.p99<2ms' or 'lost==0'") =>
        new OptionCatalogue<OutputOptions>("Output")
            .Group("Output")
            .Add("--out", o => o.Folder, Syntax.Text("FOLDER"),
                "Where the run creates its results folder", key: "Folder")
            .Add("--format", o => o.Format, Syntax.Choice<OutputFormat>(), "How results are printed")
            .Add(Details, o => o.Details, Syntax.Flag, DetailsHelp)
            .Add("--live", o => o.Live, Syntax.Choice<LiveView>(),
                "The live view; use none for numbers that you publish")
            .Add(Quiet, o => o.Quiet, Syntax.Flag, "Print only results and errors", alias: "-q")
            .Add(Verbose, o => o.Verbose, Syntax.Flag, "Print more, and where in the code an error arose", alias: "-v")
            .AddList("--threshold", o => o.Thresholds, ThresholdSyntax.Create().Where(thresholdProblem),
                $"A condition on the result, for instance {examples}; exits with 99 if it does not hold")
            .Add("--strict", o => o.Strict, Syntax.Flag, "Exit with 4 if the verdict is DOUBTFUL")
            .Rule([Quiet, Verbose], o => o.Quiet && o.Verbose ? "use only one of them" : null);

    /// <summary>
    /// Why thresholds cannot be held, or null: a gate that measures this tool instead of a server would let all pass.
    /// </summary>
    public static string? TargetProblem(OutputOptions options, bool isTargetGiven, string option = "--redis") =>
        options.Thresholds.Count == 0 || isTargetGiven
            ? null
            : $"a threshold needs a server to judge: give {option} ENDPOINT, or {option} "
                + $"{TargetOptions.InProcess} for the server inside this tool";
}
