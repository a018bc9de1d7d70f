using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Comparing;

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
    public static void WriteMarkdown(TextWriter writer, RunComparison comparison)
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
            .. comparison.Notes,
            .. Reasons(comparison),
            .. comparison.Options.Select(option => $"`--{option.Name}`: {option.Before} before, {option.After} after."),
        ];
        foreach (var line in lines)
            writer.WriteLine($"- {RunMarkdown.Safe(line)}");
        writer.WriteLine($"- {Intervals}");
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
