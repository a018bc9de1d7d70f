using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>A number that all runs of two groups have, and how it changed from the one to the other.</summary>
public sealed record ComparedMetric
{
    private static readonly string[] BetterWhenHigher =
        ["throughput", "rate", "returned", "completed", "hits", "read", "sent"];

    /// <summary>As thresholds call it: rtt-intended.p99.</summary>
    public required string Name { get; init; }

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

    private bool IsBetterWhenHigher => BetterWhenHigher.Contains(Name.Split('.')[^1]);

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
            change.Probability.ToString("0.000", CultureInfo.InvariantCulture),
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
