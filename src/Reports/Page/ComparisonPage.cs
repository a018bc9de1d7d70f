using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>A comparison of runs: text, Markdown for a pull request and a page are written of its sections.</summary>
public static class ComparisonPage
{
    private const int MostTold = 5;

    private const string Intervals =
        "The intervals are over runs, not over samples, and hold with 95 % for all rows together; p: how often chance "
        + "alone would part the runs so far.";

    /// <summary>What came out, the numbers, and the options that differ.</summary>
    /// <param name="comparison">What came out.</param>
    /// <param name="verdicts">What became of each limit, a line each.</param>
    /// <param name="mostRows">How many numbers are shown; those that differ are, before any other.</param>
    public static IReadOnlyList<Section> Of(
        RunComparison comparison, IEnumerable<string> verdicts, int mostRows = int.MaxValue)
    {
        var table = new Table("", "before", "after", "difference", "times", "95 %", "p");
        var shown = comparison.Rows.OrderBy(row => !Differs(row)).Take(mostRows).ToHashSet();
        foreach (var row in comparison.Rows.Where(shown.Contains))
            table.Add(row.Cells);
        var (more, differing) = (comparison.Rows.Count - shown.Count, comparison.Rows.Count(Differs) - mostRows);
        var options = comparison.Options
            .Select(option => $"--{option.Name}: {option.Before} before, {option.After} after").ToList();
        return
        [
            new Section(Sentence(comparison)).Add(verdicts).Add(comparison.Notes),
            new Section().Add(table).Add(more == 0 ? null : differing > 0
                ? $"{Quantity.Count(more)} more numbers, {Quantity.Count(differing)} of which differ, are in the text."
                : $"{Quantity.Count(more)} more numbers, of which none is shown to differ, are in the text.")
                .Add(Reasons(comparison)).Add(Intervals),
            .. options.Count > 0 ? [new Section("OPTIONS that differ").Add(options)] : Array.Empty<Section>(),
        ];
    }

    /// <summary>What came out, as a class of the style sheet.</summary>
    internal static string StatusOf(RunComparison comparison)
    {
        var outcomes = comparison.Rows.Select(row => row.Outcome).ToList();
        return outcomes.Contains(ComparisonOutcome.Worse) ? "not-valid"
            : outcomes.Exists(outcome => outcome is not null) ? "valid" : "doubtful";
    }

    private static string Sentence(RunComparison comparison)
    {
        var (before, after) = comparison.Runs;
        var told = comparison.Rows.Where(Differs).ToList();
        var said = told.Count > MostTold + 1
            ? $"{string.Join("; ", told.Take(MostTold))}; and {told.Count - MostTold} more"
            : told.Count > 0 ? string.Join("; ", told)
            : comparison.Rows.Any(row => row.Outcome is not null) ? "no difference shown"
            : "cannot tell";
        return $"{after} run{(after == 1 ? "" : "s")} after against {before} before: {said}";
    }

    private static bool Differs(ComparedMetric row) =>
        row.Outcome is ComparisonOutcome.Better or ComparisonOutcome.Worse;

    private static IEnumerable<string> Reasons(RunComparison comparison) =>
        from row in comparison.Rows
        where row.Reason is not null
        group row.Name by row.Reason into rows
        select $"{string.Join(", ", rows)}: {rows.Key}.";
}
