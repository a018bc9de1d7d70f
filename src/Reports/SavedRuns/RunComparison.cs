using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>Two groups of runs, before and after a change: each number by a value of each run.</summary>
public sealed class RunComparison
{
    private const double Error = 0.05;

    private static readonly double[] Percentiles = [50, 90, 99, 99.9];

    // What differs between any two runs.
    private static readonly string[] OwnOptions = ["run", "instance", "out", "details", "format", "live", "quiet"];

    private readonly IReadOnlyList<RunRecord> _before;
    private readonly IReadOnlyList<RunRecord> _after;

    /// <param name="before">The records of the runs before; at least one.</param>
    /// <param name="after">Those after.</param>
    /// <param name="further">Metrics to compare besides the percentiles of what the runs are about.</param>
    public RunComparison(
        IReadOnlyList<RunRecord> before, IReadOnlyList<RunRecord> after, IEnumerable<string> further)
    {
        (_before, _after) = (before, after);
        var headline = Headline.Of(before[0]);
        List<string> names =
        [
            .. headline is null ? [] : Percentiles.Select(percentile =>
                FormattableString.Invariant($"{headline.Mark}{headline.Name}.p{percentile:0.###}")),
            $"{headline?.Mark}throughput",
            .. further,
        ];
        // A percentile that no run knows, and a rate that no run has, is nobody's question.
        var asked = names.Distinct().Where(name => further.Contains(name) || ValuesOf(before, name)
            .Concat(ValuesOf(after, name)).Any(value => value is not null)).ToList();
        var known = asked.Count(name => ValuesOf(before, name).Concat(ValuesOf(after, name)).All(value => value > 0));
        Rows = [.. asked.Select(name => RowOf(name, Error / Math.Max(1, known)))];
    }

    /// <summary>The numbers, compared; the intervals of all hold together with 95 %.</summary>
    public IReadOnlyList<ComparedMetric> Rows { get; }

    /// <summary>How many runs there are before and after.</summary>
    public (int Before, int After) Runs => (_before.Count, _after.Count);

    /// <summary>What there is to keep in mind, a sentence each.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            foreach (var (runs, name) in new[] { (_before, "before"), (_after, "after") })
            {
                var invalid = runs.Count(run => run.Verdict.Status == VerdictStatus.NotValid);
                if (invalid > 0)
                    yield return $"{invalid} of {runs.Count} runs {name} are NOT VALID.";
                var doubtful = runs.Count(run => run.Verdict.Status == VerdictStatus.Doubtful);
                if (doubtful > 0)
                    yield return $"{doubtful} of {runs.Count} runs {name} are DOUBTFUL.";
                foreach (var imported in runs.Where(run => run.Imported is not null)
                    .Select(run => run.Verdict.Reasons is [var origin, ..] ? origin : string.Empty).Distinct())
                    yield return $"Of the runs {name}: {imported}";
                var partial = runs.Count(run => run.Partial);
                if (partial > 0)
                    yield return $"{partial} of {runs.Count} runs {name} ended early.";
            }
        }
    }

    /// <summary>The options that had other values before than after.</summary>
    public IEnumerable<(string Name, string Before, string After)> Options
    {
        get
        {
            var names = _before.Concat(_after).SelectMany(run => run.Options).Select(option => option.Name).Distinct();
            return
                from name in names.Except(OwnOptions)
                let values = (Before: OptionOf(_before, name), After: OptionOf(_after, name))
                where values.Before != values.After
                select (name, values.Before, values.After);
        }
    }

    private static string OptionOf(IEnumerable<RunRecord> runs, string name) => string.Join(
        " or ",
        runs.Select(run => string.Join(
                ", ", run.Options.Where(option => option.Name == name).Select(option => option.Value)))
            .Distinct().Order(StringComparer.Ordinal));

    private static List<double?> ValuesOf(IEnumerable<RunRecord> runs, string name) =>
        [.. runs.Select(run => run.Metrics.TryGetValue(name, out var value) ? (double?)value : null)];

    private ComparedMetric RowOf(string name, double error)
    {
        var (before, after) = (ValuesOf(_before, name), ValuesOf(_after, name));
        var row = new ComparedMetric { Name = name, Before = MedianOf(before), After = MedianOf(after) };
        var unknown = before.Concat(after).Count(value => value is null);
        if (unknown > 0)
            return row with { Reason = $"not known in {unknown} of {before.Count + after.Count} runs" };
        if (before.Concat(after).Any(value => value <= 0))
            return row with { Reason = "0 in some run, which no ratio can be of" };
        var change = GroupShift.Of(Logarithms(before), Logarithms(after), error);
        return change is null
            ? row with
            {
                Reason = $"{before.Count} and {after.Count} runs cannot tell, it takes "
                    + $"{GroupShift.CountFor(error)} of each",
            }
            : row with { Change = change };
    }

    private static double? MedianOf(List<double?> values) =>
        values.Contains(null) ? null : PairedShift.Median([.. values.OfType<double>()]);

    private static List<double> Logarithms(List<double?> values) =>
        [.. values.OfType<double>().Select(value => Math.Log(value))];
}
