using RedisLatency.Hosting.LivePages;
using RedisLatency.Hosting.Results;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Options;

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
        Func<Threshold, string?> thresholdProblem, string examples) =>
        new OptionCatalogue<OutputOptions>("Output")
            .Group("Output")
            .Add("--out", o => o.Folder, Syntax.Text("FOLDER"),
                "Where the run creates its results folder", key: "Folder")
            .Add("--format", o => o.Format, Syntax.Choice<OutputFormat>(), "How results are printed")
            .Add(Details, o => o.Details, Syntax.Flag, DetailsHelp)
            .Add("--live", o => o.Live, Syntax.Choice<LiveView>(),
                "The live view; use none for numbers that you publish")
            .Add(LivePageAddress.Option, o => o.LivePage,
                Syntax.OptionalText("ADDRESS:PORT", LivePageAddress.Problem),
                "Serve the page of the run there while it lasts, for instance at 127.0.0.1:8080",
                shownDefault: "nowhere")
            .Add(LivePageToken.Option, o => o.LivePageTokenFile, Syntax.OptionalText("FILE"),
                "Read the password of that page from the first line of a file; any user name goes with it")
            .Add($"{Quiet} -q", o => o.Quiet, Syntax.Flag, "Print only results and errors")
            .Add($"{Verbose} -v", o => o.Verbose, Syntax.Flag, "Print more, and where in the code an error arose")
            .AddList("--threshold", o => o.Thresholds, ThresholdSyntax.Create(examples).Where(thresholdProblem),
                $"A condition on the result, for instance {examples}; exits with 99 if it does not hold")
            .Add("--junit", o => o.JUnit, Syntax.OptionalText("FILE"),
                "Write each --threshold and the verdict as test cases of JUnit, too")
            .Add("--step-summary", o => o.StepSummary, Syntax.Flag,
                $"Append the answer as Markdown to the file that {StepSummary.Variable} names, too")
            .Add("--strict", o => o.Strict, Syntax.Flag, "Exit with 4 if the verdict is DOUBTFUL")
            .Rule(["--step-summary"], o => StepSummary.Problem(o.StepSummary))
            .Rule([LivePageAddress.Option, LivePageToken.Option],
                o => LivePageToken.Problem(o.LivePage, o.LivePageTokenFile))
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
