using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>How one server differs from another.</summary>
internal static class ComparisonSection
{
    private const double Headline = 99;

    public static Section Of(TargetComparison comparison)
    {
        var section = new Section($"COMPARISON of {comparison.Series}, {comparison.Turns} turns each");
        if (comparison.Percentiles.Count == 0)
            return section.Add("nothing can be said: too few turns, or too few samples in a turn; measure longer");
        var table = new Table(string.Empty, "a", "b", "b is", "b / a", "95 % of b / a", "b − a", "95 % of b − a");
        foreach (var row in comparison.Percentiles)
        {
            table.Add(
                LatencyTable.NameOf(row.Percentile), Quantity.Duration(row.BaseNs), Quantity.Duration(row.OtherNs),
                Word(row.Outcome), Times(row.Ratio), $"{Times(row.RatioLower)}..{Times(row.RatioUpper)}",
                OneWaySection.Signed(row.DifferenceNs),
                $"{OneWaySection.Signed(row.DifferenceLowerNs)}..{OneWaySection.Signed(row.DifferenceUpperNs)}");
        }

        return section.Add(table).Add(
            $"a is {comparison.Base}, b is {comparison.Other}, each of all its turns; b / a and b − a are over turns, "
            + "in random order, and their intervals hold for all rows together; better and worse are by b / a");
    }

    /// <summary>What there is to say of the highest percentile up to the 99th, and of the median.</summary>
    public static string Sentence(TargetComparison comparison)
    {
        var rows = comparison.Percentiles.Where(row => row.Percentile <= Headline).ToList();
        return rows.Count == 0
            ? $"{comparison.Other} against {comparison.Base}: nothing can be said, as no percentile has "
                + "samples enough in each turn"
            : $"{comparison.Other} against {comparison.Base}: "
                + string.Join(", ", new[] { rows[0], rows[^1] }.Distinct().Select(Part));
    }

    private static string Part(ComparedPercentile row) => $"{LatencyTable.NameOf(row.Percentile)} "
        + (row.Outcome == ComparisonOutcome.NoDifferenceShown
            ? $"no difference shown ({Times(row.RatioLower)} to {Times(row.RatioUpper)} times)"
            : $"{Word(row.Outcome)}, {Times(row.Ratio)} times ({Times(row.RatioLower)} to {Times(row.RatioUpper)})");

    private static string Word(ComparisonOutcome outcome) => outcome switch
    {
        ComparisonOutcome.Better => "better",
        ComparisonOutcome.Worse => "worse",
        _ => "no difference shown",
    };

    private static string Times(double ratio) => ratio.ToString("0.000", CultureInfo.InvariantCulture);
}
