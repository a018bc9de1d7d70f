using System.Globalization;

namespace RedisLatency.Reports.Verdicts;

/// <summary>What became of a threshold.</summary>
public sealed record ThresholdResult(Threshold Threshold, ThresholdOutcome Outcome, double? Actual)
{
    // An error of a larger share of the value is said, even where it decides nothing.
    private const double CoarseShare = 0.25;

    /// <summary>How far <see cref="Actual"/> may be from the truth, in its unit; infinite where nobody knows.</summary>
    public double Error { get; init; }

    /// <summary>
    /// How many samples are missing, each of which counts as slower than all that was measured: where there are any,
    /// <see cref="Actual"/> is a lower bound.
    /// </summary>
    public long Missing { get; init; }

    /// <summary>Why it cannot be said, as a sentence's end; null where <see cref="Outcome"/> says it.</summary>
    public string? Because { get; init; }

    /// <summary>
    /// The line for the summary: mark, demand, value and margin, for instance
    /// <c>✓ rtt.p99&lt;2ms: 1.2ms, 0.8ms (40 %) below the limit</c>.
    /// </summary>
    public override string ToString() => ToString(null);

    /// <summary>The same with the name of what it is about between mark and demand.</summary>
    public string ToString(string? whose) => Mark + (whose is null ? string.Empty : $"{whose}: ") + Text;

    private string Mark => Outcome switch
    {
        ThresholdOutcome.Met => "✓ ",
        ThresholdOutcome.Missed => "✗ ",
        _ => "? ",
    };

    private string Text => Outcome switch
    {
        ThresholdOutcome.Met => $"{Threshold.Text}: {Value}{Margin}",
        ThresholdOutcome.Missed => $"{Threshold.Text}: {Value}{Margin}",
        ThresholdOutcome.WithinError or ThresholdOutcome.MissingSamples or ThresholdOutcome.NotEnoughSamples
            when Because is not null => $"{Threshold.Text}: {Because}",
        ThresholdOutcome.WithinError when double.IsFinite(Error) =>
            $"{Threshold.Text}: {Middle} ±{ThresholdQuantity.Show(Error, Threshold.Unit)}, so it cannot be said",
        ThresholdOutcome.WithinError => $"{Threshold.Text}: the clocks' offset is not known well enough to say",
        ThresholdOutcome.MissingSamples =>
            $"{Threshold.Text}: not known, because {Missing.ToString("#,0", CultureInfo.InvariantCulture)} "
                + "samples are "
                + "missing",
        ThresholdOutcome.NotEnoughSamples => $"{Threshold.Text}: too few samples to say",
        _ => $"{Threshold.Text}: the result has no {Threshold.Metric}",
    };

    private string Middle => ThresholdQuantity.Show(Actual!.Value, Threshold.Unit);

    private string Value => Missing > 0
        ? (Threshold.Unit == ThresholdUnit.Nanoseconds ? "> " : "at least ") + Middle
        : double.IsFinite(Error) && Error > CoarseShare * Math.Abs(Actual!.Value)
        ? $"{Middle} ±{ThresholdQuantity.Show(Error, Threshold.Unit)}"
        : Middle;

    private string Margin
    {
        get
        {
            var margin = Actual!.Value - Threshold.Limit;
            if (margin == 0)
                return ", exactly the limit";

            var share = Threshold.Limit == 0
                ? ""
                : string.Create(CultureInfo.InvariantCulture, $" ({Math.Abs(margin / Threshold.Limit) * 100:0.##} %)");
            var side = margin < 0 ? "below" : "above";
            return $", {ThresholdQuantity.Show(Math.Abs(margin), Threshold.Unit)}{share} {side} the limit";
        }
    }
}

/// <summary>Whether a threshold held.</summary>
public enum ThresholdOutcome
{
    /// <summary>It held.</summary>
    Met,

    /// <summary>It did not: the run ends with 99.</summary>
    Missed,

    /// <summary>It cannot be said: the run ends with 4.</summary>
    NotEnoughSamples,

    /// <summary>Samples that are missing could change it: the run ends with 4.</summary>
    MissingSamples,

    /// <summary>The limit lies within the error of the value: the run ends with 4.</summary>
    WithinError,

    /// <summary>The result has no such metric; which is refused before the run.</summary>
    UnknownMetric,
}

/// <summary>Writes values of thresholds with their units, short enough to read and long enough to compare.</summary>
internal static class ThresholdQuantity
{
    public static string Show(double value, ThresholdUnit unit) => unit switch
    {
        ThresholdUnit.Nanoseconds => ShowNanoseconds(value),
        ThresholdUnit.Share => $"{Significant(value * 100)}%",
        _ => Significant(value),
    };

    private static string ShowNanoseconds(double value) => Math.Abs(value) switch
    {
        >= 1e9 => $"{Significant(value / 1e9)}s",
        >= 1e6 => $"{Significant(value / 1e6)}ms",
        >= 1e3 => $"{Significant(value / 1e3)}us",
        _ => $"{Significant(value)}ns",
    };

    // Whole numbers in full, others to four digits.
    private static string Significant(double value) =>
        value == Math.Truncate(value) && Math.Abs(value) < 1e15
            ? value.ToString("#,0", CultureInfo.InvariantCulture)
            : Math.Abs(value) >= 1_000
                ? value.ToString("#,0.##", CultureInfo.InvariantCulture)
                : value.ToString("G4", CultureInfo.InvariantCulture);
}
