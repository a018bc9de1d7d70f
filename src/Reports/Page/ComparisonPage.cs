using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>A comparison of runs as text, and as Markdown for a pull request.</summary>
public static class ComparisonPage
{
    private const string Intervals =
        "The intervals are over runs, not over samples, and hold with 95 % for all rows together; p: how often chance "
        + "alone would part the runs so far.";

    private static readonly string[] Heads = ["", "before", "after", "difference", "times", "95 %", "p"];

    /// <summary>Writes it for a terminal.</summary>
    public static void WriteText(TextWriter writer, RunComparison comparison)
    {
        writer.Fold(string.Empty, Sentence(comparison));
        foreach (var note in comparison.Notes)
            writer.Line(note);
        writer.WriteLine();
        var table = new TextTable(Heads);
        foreach (var row in comparison.Rows)
            table.Add(row.Cells);
        table.WriteTo(writer);
        foreach (var reason in Reasons(comparison))
            writer.Line(reason);
        writer.Line(Intervals);
        if (comparison.Options.Any())
        {
            writer.Heading("OPTIONS that differ");
            foreach (var (name, before, after) in comparison.Options)
                writer.Line($"--{name}: {before} before, {after} after");
        }
    }

    /// <summary>Writes it as Markdown.</summary>
    public static void WriteMarkdown(TextWriter writer, RunComparison comparison, IEnumerable<string> verdicts)
    {
        writer.WriteLine($"**{RunMarkdown.Safe(Sentence(comparison))}**");
        writer.WriteLine();
        writer.WriteLine($"| {string.Join(" | ", Heads)} |");
        writer.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---:|", Heads.Length - 1))}");
        foreach (var row in comparison.Rows)
        {
            var empty = Enumerable.Repeat(string.Empty, Heads.Length - row.Cells.Length);
            writer.WriteLine($"| {string.Join(" | ", row.Cells.Concat(empty).Select(RunMarkdown.Safe))} |");
        }

        writer.WriteLine();
        string[] lines =
        [
            .. verdicts,
            .. comparison.Notes,
            .. Reasons(comparison),
            .. comparison.Options.Select(option => $"--{option.Name}: {option.Before} before, {option.After} after"),
        ];
        foreach (var line in lines)
            writer.WriteLine($"- {RunMarkdown.Safe(line)}");
        writer.WriteLine($"- {Intervals}");
    }

    /// <summary>The same for a page.</summary>
    /// <param name="comparison">What came out.</param>
    /// <param name="verdicts">What became of each limit, a line each.</param>
    /// <param name="curves">Their percentile curves; null where there are none.</param>
    public static ComparedRuns ToPage(RunComparison comparison, IEnumerable<string> verdicts, Chart? curves)
    {
        var outcomes = comparison.Rows.Select(row => row.Outcome).ToList();
        var options = comparison.Options.ToList();
        return new ComparedRuns(
            outcomes.Contains(ComparisonOutcome.Worse) ? "not-valid"
                : outcomes.Exists(outcome => outcome is not null) ? "valid" : "doubtful",
            PageRun.Clean(Sentence(comparison)),
            [.. verdicts.Concat(comparison.Notes).Concat(Reasons(comparison)).Select(PageRun.Clean)],
            [
                new PageTable("Each number by a value of each run", Heads, [
                    .. comparison.Rows.Select(row => (string[])
                        [.. row.Cells, .. Enumerable.Repeat(string.Empty, Heads.Length - row.Cells.Length)]),
                ])
                {
                    Notes = [Intervals],
                },
                .. options.Count == 0 ? Array.Empty<PageTable>() :
                [
                    new PageTable("Options that differ", ["option", "before", "after"], [
                        .. options.Select(option => (string[])
                        [
                            PageRun.Clean($"--{option.Name}"),
                            PageRun.Clean(option.Before),
                            PageRun.Clean(option.After),
                        ]),
                    ]),
                ],
            ],
            curves);
    }

    private static string Sentence(RunComparison comparison)
    {
        var (before, after) = comparison.Runs;
        var told = comparison.Rows
            .Where(row => row.Outcome is ComparisonOutcome.Better or ComparisonOutcome.Worse).ToList();
        var said = told.Count > 0 ? string.Join("; ", told)
            : comparison.Rows.Any(row => row.Outcome is not null) ? "no difference shown"
            : "cannot tell";
        return $"{after} run{(after == 1 ? "" : "s")} after against {before} before: {said}";
    }

    private static IEnumerable<string> Reasons(RunComparison comparison) =>
        from row in comparison.Rows
        where row.Reason is not null
        group row.Name by row.Reason into rows
        select $"{string.Join(", ", rows)}: {rows.Key}.";
}
