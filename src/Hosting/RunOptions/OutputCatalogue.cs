using RedisLatency.Hosting.Options;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.RunOptions;

/// <summary>The options that say what is printed and kept; every service includes them.</summary>
public static class OutputCatalogue
{
    /// <summary>The option that has errors shown with where they arose.</summary>
    internal const string Verbose = "--verbose";

    /// <summary>The option that leaves out all but results and errors.</summary>
    internal const string Quiet = "--quiet";

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
                "The folder in which the run makes its own results folder", key: "Folder")
            .Add("--format", o => o.Format, Syntax.Choice<OutputFormat>(), "How results are printed")
            .Add("--live", o => o.Live, Syntax.Choice<LiveView>(),
                "What is shown meanwhile; none is the reference for published numbers")
            .Add(Quiet, o => o.Quiet, Syntax.Flag, "Print only results and errors", alias: "-q")
            .Add(Verbose, o => o.Verbose, Syntax.Flag, "Tell more, and where an error arose", alias: "-v")
            .AddList("--threshold", o => o.Thresholds, ThresholdSyntax.Create().Where(thresholdProblem),
                $"What must hold, for instance {examples}; missed, the run ends with 99")
            .Add("--strict", o => o.Strict, Syntax.Flag, "End with 4 where the verdict is DOUBTFUL")
            .Rule([Quiet, Verbose], o => o.Quiet && o.Verbose ? "only one of them can be meant" : null);

    /// <summary>
    /// Why thresholds cannot be held: a gate that measures this tool instead of a server would let everything pass.
    /// </summary>
    /// <param name="options">The options, with the thresholds.</param>
    /// <param name="isTargetGiven">Whether somebody said what is measured.</param>
    /// <param name="option">The option that says it.</param>
    /// <returns>Null where they can.</returns>
    public static string? TargetProblem(OutputOptions options, bool isTargetGiven, string option = "--redis") =>
        options.Thresholds.Count == 0 || isTargetGiven
            ? null
            : $"a threshold needs a server to hold it against: give {option} ENDPOINT, or {option} "
                + $"{TargetOptions.InProcess} for the one inside this tool";
}
