using RedisLatency.Reports.Figures;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>A comparison of runs: text, Markdown for a pull request and a page are written of its sections.</summary>
public static class ComparisonPage
{
    private const string Intervals =
        "The intervals are over runs, not over samples, and hold with 95 % for all rows together; p: how often chance "
        + "alone would part the runs so far.";

    /// <summary>What came out, the numbers, and the options that differ.</summary>
    /// <param name="comparison">What came out.</param>
    /// <param name="verdicts">What became of each limit, a line each.</param>
    public static IReadOnlyList<Section> Of(RunComparison comparison, IEnumerable<string> verdicts)
    {
        var table = new Table("", "before", "after", "difference", "times", "95 %", "p");
        foreach (var row in comparison.Rows)
            table.Add(row.Cells);
        var options = comparison.Options
            .Select(option => $"--{option.Name}: {option.Before} before, {option.After} after").ToList();
        return
        [
            new Section(Sentence(comparison)).Add(verdicts).Add(comparison.Notes),
            new Section().Add(table).Add(Reasons(comparison)).Add(Intervals),
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
