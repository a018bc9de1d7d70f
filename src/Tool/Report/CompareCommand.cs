using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Values;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Tool.Report;

internal static partial class CompareCommand
{
    public static ServiceCommand Create() => new ServiceCommand<CompareOptions>(
        "compare",
        "Compares runs before a change with runs after it.",
        new OptionCatalogue<CompareOptions>("Compare")
            .AddArguments("FOLDER", o => o.Folders, Syntax.Text("FOLDER"),
                "Runs before, or folders that contain them; of two without --after the second is after")
            .Group("What")
            .AddList("--after", o => o.After, Syntax.Text("FOLDER"), "Runs after, or a folder that contains them")
            .AddList("--fail-if", o => o.FailIf, Syntax.Text("EXPRESSION", Problem),
                "What may not be, such as 'rtt.p99>+5%': 99 if it is, 4 if that cannot be told")
            .Group("Output")
            .Add("--format", o => o.Format, Syntax.Choice<CompareFormat>(), "How the comparison is printed")
            .Add("--html", o => o.Html, Syntax.OptionalText("FILE"),
                "Write a page with the percentile curves of both groups, too")
            .Add("--junit", o => o.JUnit, Syntax.OptionalText("FILE"),
                "Write each --fail-if and the verdict as test cases, too")
            .Add("--step-summary", o => o.StepSummary, Syntax.Flag,
                $"Append Markdown to the file that {StepSummary.Variable} names, too")
            .Rule(["FOLDER", "--after"], o => o.After.Count == 0 && o.Folders.Count != 2
                ? "name one folder before and one after, or those after by --after"
                : null)
            .Rule(["--step-summary"], o => StepSummary.Problem(o.StepSummary)),
        (run, _) => Compare(run.Options.Values))
    {
        Examples =
        [
            new("Five runs before and five after", "compare results/before results/after"),
            new("In a pipeline: 99 if the 99th percentile is more than 5 % longer",
                "compare results/main results/branch --fail-if 'rtt-intended.p99>+5%' --format markdown"),
        ],
    };

    private static string? Problem(string text) => ChangeLimit.Parse(text) is not null ? null
        : ThresholdSyntax.Read(text).Problem is null
            ? "a limit here is a change in %, for instance 'rtt.p99>+5%'; what holds of one run, its --threshold says"
            : "a metric, > or <, and a change in % are needed, for instance 'rtt.p99>+5%' or 'throughput<-3%'";

    private static string Unknown(ChangeLimit limit, IReadOnlyCollection<string> metrics)
    {
        var nearest = metrics.FirstOrDefault(metric => metric.EndsWith($".{limit.Metric}", StringComparison.Ordinal))
            ?? NearestName.Of(limit.Metric, metrics);
        var question = nearest is null ? string.Empty : $"; did you mean {nearest}?";
        var names = metrics.Select(metric => Statistic().Replace(metric, string.Empty)).Distinct();
        return $"--fail-if {limit.Text}: no run has a metric {limit.Metric}{question} (known: "
            + $"{string.Join(", ", names)}; of a latency .p50, .p99, .max, .mean and so on)";
    }

    [GeneratedRegex(@"\.(count|min|mean|max|p[0-9.]+)\z")]
    private static partial Regex Statistic();

    private static async Task<int> Compare(CompareOptions options)
    {
        var isPair = options.After.Count == 0;
        var before = SavedRunsOf.Read(isPair ? [options.Folders[0]] : options.Folders);
        var after = SavedRunsOf.Read(isPair ? [options.Folders[1]] : options.After);
        var known = new KnownRuns();
        var (earlier, first) = SavedRunsOf.Ended(before, known);
        var (later, second) = SavedRunsOf.Ended(after, known);
        var limits = options.FailIf.Select(ChangeLimit.Parse).OfType<ChangeLimit>().ToList();
        var comparison = new RunComparison(
            RecordsOf(earlier), RecordsOf(later), [.. limits.Select(limit => limit.Metric)]);
        if (limits.Find(limit => !comparison.Metrics.Contains(limit.Metric)) is { } stranger)
        {
            throw new ConfigurationException(Unknown(stranger, comparison.Metrics));
        }

        var broken = limits.ToDictionary(limit => limit, limit => limit.IsBroken(comparison));
        var code = ExitCode.Combine(first, second);
        if (comparison.HasNotValid)
            code = ExitCode.Combine(code, ExitCode.NotValid);
        if (broken.ContainsValue(true))
            code = ExitCode.Combine(code, ExitCode.ThresholdMissed);
        if (broken.ContainsValue(null))
            code = ExitCode.Combine(code, ExitCode.NotValid);

        var output = new StandardOutput();
        if (options.Format == CompareFormat.Markdown)
        {
            SectionMarkdown.Write(output, ComparisonPage.Of(comparison, broken.Select(Line)));
        }
        else
        {
            SectionText.Write(output, ComparisonPage.Of(comparison, []));
            foreach (var line in broken.Select(Line))
                output.WriteLine(line);
        }

        if (options.Html is { } file)
            code = ExitCode.Combine(code, await WritePage(file, comparison, broken, (earlier, later)));
        return output.End(ExitCode.Combine(code, WriteFiles(options, comparison, broken, code)));
    }

    private static IReadOnlyList<RunRecord> RecordsOf(IEnumerable<SavedRun> runs) =>
        [.. runs.Select(run => run.Record).OfType<RunRecord>()];

    private static string Line(KeyValuePair<ChangeLimit, bool?> limit) => limit.Value switch
    {
        true => $"✗ {limit.Key.Text}",
        false => $"✓ {limit.Key.Text}",
        _ => $"? {limit.Key.Text}   cannot be told",
    };

    private static async Task<int> WritePage(
        string file,
        RunComparison comparison,
        IReadOnlyDictionary<ChangeLimit, bool?> broken,
        (IReadOnlyList<SavedRun> Before, IReadOnlyList<SavedRun> After) runs)
    {
        Chart? curves = null;
        var code = ExitCode.Valid;
        try
        {
            curves = ComparedRuns.CurvesOf(runs.Before, runs.After);
        }
        catch (SavedRunException failure)
        {
            new Diagnostics().WriteLine($"Without curves: {failure.Message}");
            code = ExitCode.NotValid;
        }

        var page = new ComparedRuns(comparison, [.. broken.Select(Line)], curves);
        return ExitCode.Combine(code, await PageFile.Write(file, writer => RunPage.WriteAsync(
            writer, page, PageFile.Footer)));
    }

    private static int WriteFiles(
        CompareOptions options, RunComparison comparison, IReadOnlyDictionary<ChangeLimit, bool?> broken, int exitCode)
    {
        try
        {
            if (options.StepSummary)
                StepSummary.Append(page =>
                    SectionMarkdown.Write(page, ComparisonPage.Of(comparison, broken.Select(Line))));
            if (options.JUnit is { } file)
            {
                var verdict = VerdictCase.Of("report compare", exitCode, comparison.Notes);
                File.WriteAllText(file, JUnit(broken, verdict));
            }

            return ExitCode.Valid;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            new Diagnostics().WriteLine(failure.Message);
            return ExitCode.ResultsNotWritten;
        }
    }

    private static string JUnit(IReadOnlyDictionary<ChangeLimit, bool?> broken, JUnitCase verdict) => JUnitDocument.Of(
        "redis-latency report compare",
        [
            .. broken.Select(one => new JUnitCase(one.Key.Metric, one.Key.Text, !one.Value,
                one.Value is null ? "cannot be told" : $"{one.Key.Text} is so")),
            verdict,
        ]);
}

internal sealed class CompareOptions
{
    public IReadOnlyList<string> Folders { get; set; } = [];
    public IReadOnlyList<string> After { get; set; } = [];
    public IReadOnlyList<string> FailIf { get; set; } = [];
    public CompareFormat Format { get; set; }
    public string? Html { get; set; }
    public string? JUnit { get; set; }
    public bool StepSummary { get; set; }
}

internal enum CompareFormat
{
    Text,
    Markdown,
}
