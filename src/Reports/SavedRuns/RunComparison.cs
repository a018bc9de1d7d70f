using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>Two groups of runs, before and after a change: each number by a value of each run.</summary>
public sealed class RunComparison
{
    private const double Error = 0.05;

    private static readonly double[] Percentiles = [50, 90, 99, 99.9];

    // What differs between any two runs.
    private static readonly string[] OwnOptions = ["run", "instance", "out", "details", "format", "live", "live-page",
        "live-page-token-file", "quiet"];

    private readonly IReadOnlyList<RunRecord> _before;
    private readonly IReadOnlyList<RunRecord> _after;

    /// <param name="before">The records of the runs before; at least one.</param>
    /// <param name="after">Those after.</param>
    /// <param name="further">Metrics to compare besides the percentiles of what the runs are about.</param>
    public RunComparison(
        IReadOnlyList<RunRecord> before, IReadOnlyList<RunRecord> after, IEnumerable<string> further)
    {
        (_before, _after) = (before, after);
        var series = Headline.ComparedIn(before[0]).ToList();
        List<string> names =
        [
            .. series.SelectMany(one => Percentiles.Select(percentile =>
                FormattableString.Invariant($"{one.Mark}{one.Name}.p{percentile:0.###}"))),
            .. series.Select(one => one.Mark).DefaultIfEmpty(string.Empty).Select(mark => $"{mark}throughput"),
            .. further,
        ];
        // A percentile that no run knows, and a rate that no run has, is nobody's question.
        Metrics = [.. before.Concat(after).SelectMany(RecordMetrics.NamesOf).Distinct()];
        var asked = names.Distinct().Where(name => further.Contains(name)
            || before.Concat(after).Any(run => run.Metrics.ContainsKey(name))).ToList();
        var known = asked.Count(name => ValuesOf(before, name).Concat(ValuesOf(after, name)).All(value => value > 0));
        Rows = [.. asked.Select(name => RowOf(name, Error / Math.Max(1, known)))];
    }

    /// <summary>The numbers, compared; the intervals of all hold together with 95 %.</summary>
    public IReadOnlyList<ComparedMetric> Rows { get; }

    /// <summary>The names that numbers of the runs have, also of those that no run knows.</summary>
    public IReadOnlyList<string> Metrics { get; }

    /// <summary>Whether some run is not valid: no number of it is known.</summary>
    public bool HasNotValid => _before.Concat(_after).Any(run => !run.Verdict.IsMeasured);

    /// <summary>How many runs there are before and after.</summary>
    public (int Before, int After) Runs => (_before.Count, _after.Count);

    /// <summary>What there is to keep in mind, a sentence each.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            if (Facts().ToList() is { Count: > 0 } facts)
                yield return $"Besides, these differ: {string.Join("; ", facts)}.";
            if (OrderInTime() is { } order)
                yield return order;
            foreach (var (runs, name) in new[] { (_before, "before"), (_after, "after") })
            {
                var invalid = runs.Count(run => run.Verdict.Status == VerdictStatus.NotValid);
                if (invalid > 0)
                    yield return $"{invalid} of {runs.Count} runs {name} are NOT VALID: their numbers are not known.";
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

    // What a run was measured on and through; of other tools' runs only the servers are told.
    private IEnumerable<string> Facts()
    {
        (string Name, Func<RunRecord, IEnumerable<string?>> Of)[] facts =
        [
            ("server", run => run.Targets.Select(target => target.Server is { } server
                ? $"{server.Name} {server.Version}"
                : null)),
            ("driver", run => run.Targets.Select(target => $"{target.Driver} {target.DriverVersion}")),
            ("machine", run => [run.Imported is null ? run.Environment.MachineName : null]),
            ("processor", run => [run.Imported is null ? run.Environment.ProcessorModel : null]),
            ("kernel", run => [run.Imported is null ? run.Environment.Kernel : null]),
        ];
        foreach (var (name, of) in facts)
        {
            var (before, after) = (Together(_before, of), Together(_after, of));
            if (before != after)
                yield return $"{name} {before} before, {after} after";
        }
    }

    private static string Together(IEnumerable<RunRecord> runs, Func<RunRecord, IEnumerable<string?>> of)
    {
        var words = runs.SelectMany(of).OfType<string>().Distinct().Order(StringComparer.Ordinal).ToList();
        return words.Count == 0 ? "not known" : PlainText.Clean(string.Join(" or ", words));
    }

    // Whatever else changed with time is then in the difference, too.
    private string? OrderInTime()
    {
        var (before, after) = (StartsOf(_before), StartsOf(_after));
        if (before.Contains(null) || after.Contains(null))
            return null;
        return before.Max() < after.Min() ? "All runs before ran before all runs after: what else changed meanwhile "
                + "is in the difference."
            : after.Max() < before.Min() ? "All runs after ran before all runs before: what else changed meanwhile "
                + "is in the difference."
            : null;
    }

    private static List<DateTimeOffset?> StartsOf(IEnumerable<RunRecord> runs) =>
        [.. runs.Select(run => run.Phases is [var first, ..] ? (DateTimeOffset?)first.StartUtc : null)];

    private static string OptionOf(IEnumerable<RunRecord> runs, string name) => string.Join(
        " or ",
        runs.Select(run => string.Join(
                ", ", run.Options.Where(option => option.Name == name).Select(option => option.Value)))
            .Distinct().Order(StringComparer.Ordinal));

    private static List<double?> ValuesOf(IEnumerable<RunRecord> runs, string name) =>
        [
            .. runs.Select(run =>
                run.Verdict.IsMeasured && run.Metrics.TryGetValue(name, out var value) ? (double?)value : null),
        ];

    private ComparedMetric RowOf(string name, double error)
    {
        var (before, after) = (ValuesOf(_before, name), ValuesOf(_after, name));
        var row = new ComparedMetric
        {
            Name = name,
            IsBetterWhenHigher = _before.Concat(_after).Any(run => RecordMetrics.BetterWhenHigher(run).Contains(name)),
            Before = MedianOf(before),
            After = MedianOf(after),
        };
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

/// <summary>A number that all runs of two groups have, and how it changed from the one to the other.</summary>
public sealed record ComparedMetric
{
    // Less would be shown as none, which no probability is.
    private const double LeastShown = 0.0005;

    /// <summary>As thresholds call it: rtt-intended.p99.</summary>
    public required string Name { get; init; }

    /// <summary>Whether the higher is the better one.</summary>
    public bool IsBetterWhenHigher { get; init; }

    /// <summary>The median over the runs before; null where a run does not know it.</summary>
    public double? Before { get; init; }

    /// <summary>The median over the runs after.</summary>
    public double? After { get; init; }

    /// <summary>By how many times it changed, as a logarithm; null where that cannot be told.</summary>
    public GroupShift? Change { get; init; }

    /// <summary>Why it cannot be told.</summary>
    public string? Reason { get; init; }

    /// <summary>What that comes to; null where it cannot be told.</summary>
    public ComparisonOutcome? Outcome => Change switch
    {
        null => null,
        { Lower: > 0 } => IsBetterWhenHigher ? ComparisonOutcome.Better : ComparisonOutcome.Worse,
        { Upper: < 0 } => IsBetterWhenHigher ? ComparisonOutcome.Worse : ComparisonOutcome.Better,
        _ => ComparisonOutcome.NoDifferenceShown,
    };

    /// <summary>The change in words.</summary>
    public override string ToString() => Change is { } change
        ? Outcome == ComparisonOutcome.NoDifferenceShown
            ? $"{Name} no difference shown ({Times(change.Lower)} to {Times(change.Upper)} times)"
            : $"{Name} {Word}, {Times(change.Estimate)} times ({Times(change.Lower)} to {Times(change.Upper)})"
        : $"{Name}: {Reason}";

    /// <summary>The cells of its row.</summary>
    internal string[] Cells => Change is { } change
        ?
        [
            Name, Shown(Before), Shown(After), Word, Times(change.Estimate),
            $"{Times(change.Lower)}..{Times(change.Upper)}",
            change.Probability < LeastShown
                ? "<0.001"
                : change.Probability.ToString("0.000", CultureInfo.InvariantCulture),
        ]
        : [Name, Shown(Before), Shown(After), Word];

    private string Word => Outcome switch
    {
        ComparisonOutcome.Better => "better",
        ComparisonOutcome.Worse => "worse",
        ComparisonOutcome.NoDifferenceShown => "none shown",
        _ => "cannot tell",
    };

    private static string Times(double logarithm) =>
        Math.Exp(logarithm).ToString("0.000", CultureInfo.InvariantCulture);

    // Of the names of a record those with a dot are times, but for the count of a series.
    private string Shown(double? value) => value is not { } known ? "not known"
        : Name.EndsWith(".count", StringComparison.Ordinal) ? Quantity.Count((long)known)
        : Name.EndsWith("throughput", StringComparison.Ordinal) ? Quantity.Rate(known)
        : Name.Contains('.') ? Quantity.Duration(known)
        : Quantity.Number(known);
}

/// <summary>
/// By how much the values of one group exceed those of another: the estimate of Hodges and Lehmann (the median of all
/// differences between one of either), the interval that belongs to the rank-sum test of Mann and Whitney, and the
/// exact probability of that test: of all ways to deal the values out to the groups, how many part them at least so
/// far, where equal values share the mean of their ranks. It asks for nothing but that both scatter alike.
/// </summary>
public readonly record struct GroupShift(double Estimate, double Lower, double Upper, double Probability)
{
    /// <param name="before">The first group's values.</param>
    /// <param name="after">The second group's.</param>
    /// <param name="error">How often the interval may be wrong.</param>
    /// <returns>Null where there are too few for so small an error.</returns>
    public static GroupShift? Of(IReadOnlyList<double> before, IReadOnlyList<double> after, double error)
    {
        var shares = SharesOf(before.Count, after.Count);
        var outside = OutsideOf(shares, error);
        if (outside < 0)
            return null;
        var differences = after.SelectMany(later => before.Select(earlier => later - earlier)).Order().ToList();
        return new GroupShift(
            PairedShift.Median(differences), differences[outside], differences[^(outside + 1)],
            RankSum.Probability(before, after));
    }

    /// <summary>How many values each group needs for an interval that is wrong so seldom.</summary>
    public static int CountFor(double error)
    {
        var count = 1;
        while (OutsideOf(SharesOf(count, count), error) < 0)
            count++;
        return count;
    }

    // The greatest statistic that is met with at most half of the error, or -1.
    private static int OutsideOf(double[] shares, double error)
    {
        var (outside, share) = (-1, 0.0);
        while (outside + 1 < shares.Length && (share += shares[outside + 1]) <= error / 2)
            outside++;
        return outside;
    }

    // Of how large a share of all ways to deal out the ranks the statistic of Mann and Whitney is 0, 1, 2 and so on:
    // the coefficients of the Gaussian binomial.
    private static double[] SharesOf(int first, int second)
    {
        var ways = new double[(first * second) + 1];
        ways[0] = 1;
        for (var i = 1; i <= first; i++)
        {
            for (var place = ways.Length - 1; place >= second + i; place--)
                ways[place] -= ways[place - second - i];
            for (var place = i; place < ways.Length; place++)
                ways[place] += ways[place - i];
        }

        var all = ways.Sum();
        return [.. ways.Select(way => way / all)];
    }
}
