using System.Globalization;

namespace RedisLatency.Reports.Verdicts;

/// <summary>What became of a threshold.</summary>
public sealed record ThresholdResult(Threshold Threshold, ThresholdOutcome Outcome, double? Actual)
{
    // An error of a larger share of the value is said, even where it decides nothing.
    private const double CoarseShare = 0.25;

    /// <summary>How far <see cref="Actual"/> may be from the truth, in its unit; infinite where nobody knows.</summary>
    public double Error { get; init; }

    /// <summary>Whether it is known as the interval of these values, and has none of its own.</summary>
    public bool IsInterval { get; init; }

    /// <summary>
    /// How many samples are missing, each of which counts as slower than all that was measured: where there are any,
    /// <see cref="Actual"/> is a lower bound.
    /// </summary>
    public long Missing { get; init; }

    /// <summary>Why it cannot be said, as a sentence's end; null where <see cref="Outcome"/> says it.</summary>
    public string? Because { get; init; }

    /// <summary>The line for the summary, for instance <c>✗ rtt.p99 &lt; 1 µs   2.01 ms</c>.</summary>
    public override string ToString() => ToString(null);

    /// <summary>The same with the name of what it is about between mark and demand.</summary>
    public string ToString(string? whose) =>
        $"{Mark} {(whose is null ? string.Empty : $"{whose}: ")}{Threshold.Demand}   {Answer}";

    private char Mark => Outcome switch
    {
        ThresholdOutcome.Met => '✓',
        ThresholdOutcome.Missed => '✗',
        _ => '?',
    };

    private string Answer => Outcome switch
    {
        ThresholdOutcome.Met or ThresholdOutcome.Missed => Value,
        ThresholdOutcome.WithinError or ThresholdOutcome.MissingSamples or ThresholdOutcome.NotEnoughSamples
            when Because is not null => Because,
        ThresholdOutcome.WithinError when double.IsFinite(Error) => $"{WithError}, so it cannot be said",
        ThresholdOutcome.WithinError => "the clocks' offset is not known well enough to say",
        ThresholdOutcome.MissingSamples =>
            $"not known, because {Missing.ToString("#,0", CultureInfo.InvariantCulture)} samples are missing",
        ThresholdOutcome.NotEnoughSamples => "too few samples to say",
        _ => $"the result has no {Threshold.Metric}",
    };

    private string Middle => ThresholdQuantity.Show(Actual!.Value, Threshold.Unit, Threshold.Limit);

    private string Value => Missing > 0
        ? (Threshold.Unit == ThresholdUnit.Nanoseconds ? "> " : "at least ") + Middle
        : double.IsFinite(Error) && Error > CoarseShare * Math.Abs(Actual!.Value)
        ? WithError
        : Middle;

    private string WithError => IsInterval
        ? $"{ThresholdQuantity.Show(Actual!.Value - Error, Threshold.Unit)}.."
            + ThresholdQuantity.Show(Actual.Value + Error, Threshold.Unit)
        : $"{Middle} ±{ThresholdQuantity.Show(Error, Threshold.Unit)}";
}

/// <summary>Writes values of thresholds with their units, short enough to read and long enough to compare.</summary>
internal static class ThresholdQuantity
{
    /// <summary>A value as it is printed, in full where it would read as the other one and is not.</summary>
    public static string Show(double value, ThresholdUnit unit, double other) =>
        value != other && Show(value, unit) == Show(other, unit) ? Show(value, unit, "G9") : Show(value, unit);

    public static string Show(double value, ThresholdUnit unit, string format = "G4") => unit switch
    {
        ThresholdUnit.Nanoseconds => ShowNanoseconds(value, format),
        ThresholdUnit.Share => $"{Significant(value * 100, format)} %",
        _ => Significant(value, format),
    };

    private static string ShowNanoseconds(double value, string format) => Math.Abs(value) switch
    {
        >= 3.6e12 => $"{Significant(value / 3.6e12, format)} h",
        >= 1e9 => $"{Significant(value / 1e9, format)} s",
        >= 1e6 => $"{Significant(value / 1e6, format)} ms",
        >= 1e3 => $"{Significant(value / 1e3, format)} µs",
        _ => $"{Significant(value, format)} ns",
    };

    // Whole numbers in full, others to four digits.
    private static string Significant(double value, string format) =>
        value == Math.Truncate(value) && Math.Abs(value) < 1e15
            ? value.ToString("#,0", CultureInfo.InvariantCulture)
            : Math.Abs(value) >= 1_000 && format == "G4"
                ? value.ToString("#,0.##", CultureInfo.InvariantCulture)
                : value.ToString(format, CultureInfo.InvariantCulture);
}
