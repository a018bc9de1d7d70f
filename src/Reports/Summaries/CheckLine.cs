using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>What <c>delay check</c> prints: how far the destination is behind, in one line.</summary>
public static class CheckLine
{
    /// <summary>The percentile that it calls how far the destination is behind.</summary>
    public const double Median = 50;

    private const string Delay = "delay";
    private const double MaterialShare = 0.01;

    private static readonly double[] Highest = [99, 95, 90];

    /// <summary>The line of a record whose first summary is of a delay.</summary>
    /// <param name="record">What was measured.</param>
    /// <param name="planned">How many keys were to be checked; fewer were asked for where it was stopped.</param>
    public static string Of(RunRecord record, long planned)
    {
        var summary = record.Summaries[0];
        if (summary.Delay is not { } keys)
            throw new ArgumentException("It is no record of a delay.", nameof(record));
        return Behind(summary, keys, planned) + Remark(record);
    }

    /// <summary>How far the destination of a delay is behind, and how many keys say so.</summary>
    internal static string Behind(RunSummary summary, ReplicationDelay keys, long planned)
    {
        var highest = Highest.Select(percentile => (Percentile: percentile, Text: Show(summary, percentile)))
            .FirstOrDefault(one => one.Text is not null);
        List<string> parts =
        [
            Show(summary, Median) is { } median
                ? $"{keys.Destination} is {median}{Bound(summary, keys)} behind"
                : $"how far {keys.Destination} is behind is not known",
            .. highest.Text is { } text ? [FormattableString.Invariant($"p{highest.Percentile:0.###} {text}")]
                : Array.Empty<string>(),
            $"{Quantity.Count(summary.Count(Counted.Read))} of {Quantity.Count(planned)} keys",
            .. summary.Count(Counted.Missing) is > 0 and var missing ? [$"{Quantity.Count(missing)} missing"]
                : Array.Empty<string>(),
        ];
        return string.Join(", ", parts);
    }

    // How far the clocks let each delay be off, where that is more than a hundredth of the figure.
    private static string Bound(RunSummary summary, ReplicationDelay keys)
    {
        var figure = DelayCells.EndsOf(summary, Delay, Median)?.Least
            ?? summary.Latencies.FirstOrDefault(series => series.Name == Delay)?.Percentiles.At(Median)?.Value ?? 0;
        return keys.ErrorNs > MaterialShare * figure ? $" ±{Quantity.Duration(keys.ErrorNs)}" : string.Empty;
    }

    // Null where it is not known; where polls were too rare, the two bounds.
    private static string? Show(RunSummary summary, double percentile)
    {
        if (DelayCells.EndsOf(summary, Delay, percentile) is var (least, most))
            return $"{Quantity.Duration(least)} to {Quantity.Duration(most)}";
        var delays = summary.Latencies.FirstOrDefault(series => series.Name == Delay);
        return delays?.Percentiles.At(percentile) is { Value: { } known } row
            ? LatencyTable.MarkOf(row) + Quantity.Duration(known)
            : null;
    }

    private static string FirstReason(RunRecord record) =>
        record.Verdict.Reasons is [var first, ..] ? first : string.Empty;

    private static string Remark(RunRecord record)
    {
        if (record.Thresholds.FirstOrDefault(threshold => threshold.Held != true) is { } threshold)
            return $": {threshold.Reason}";
        return record.Verdict.Status switch
        {
            VerdictStatus.NotValid => $": NOT VALID. {record.PartialReason ?? FirstReason(record)}",
            VerdictStatus.Doubtful => $": DOUBTFUL. {record.PartialReason ?? FirstReason(record)}",
            _ => record.PartialReason is { } reason ? $": {reason}" : string.Empty,
        };
    }
}
