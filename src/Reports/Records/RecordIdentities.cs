using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Records;

/// <summary>
/// Sums that hold in every record of this suite, whatever was lost, refused or killed in the run: a record
/// that breaks one of these was changed by somebody.
/// </summary>
internal static class RecordIdentities
{
    private const string Producer = "producer";

    // Rates are of floating point, and a count is whole.
    private const double Tolerance = 0.01;

    /// <summary>Which two of its numbers contradict each other, as a sentence's end; null where none do.</summary>
    public static string? Problem(RunRecord record) =>
        record.Summaries.Select(summary => Problem(record, summary)).FirstOrDefault(problem => problem is not null);

    private static string? Problem(RunRecord record, RunSummary summary)
    {
        var (asked, sent, unsent) = (
            summary.Count(Counted.Asked), summary.Count(Counted.Sent), summary.Count(Counted.Unsent));
        if (asked - sent - unsent is not (null or 0))
        {
            return $"{summary.Name}: {Quantity.Count(asked)} asked are not {Quantity.Count(sent)} sent and "
                + $"{Quantity.Count(unsent)} unsent";
        }

        if (summary.Count(Counted.Returned) is not { } returned)
            return null;
        // Of one message several consumers return one each.
        if (returned > (summary.Count(Counted.Owed) ?? (summary.Workload is null ? null : sent)))
            return $"{summary.Name}: {Quantity.Count(returned)} returned are more than there were";
        // Another tool's numbers are as its file has them.
        return record.Imported is not null ? null
            : ProblemOfRate(record, summary, returned) ?? ProblemOfSeries(record, summary, returned);
    }

    private static string? ProblemOfRate(RunRecord record, RunSummary summary, long returned)
    {
        if (summary is not { Rates.Achieved: { } achieved, DurationNs: > 0 and var duration })
            return null;
        var done = achieved * duration / 1e9;
        var most = summary.Workload is null ? summary.Count(Counted.Sent) : returned;
        // A target that was given up has less, as its rate is of the whole schedule.
        var isTooMuch = done > (most * (1 + Tolerance)) + 1;
        var isTooLittle = summary.Workload is not null && done < (returned * (1 - Tolerance)) - 1;
        return (record.Role is Producer || summary.Workload is not null) && (isTooMuch || isTooLittle)
            ? $"{summary.Name}: {Quantity.Rate(achieved)} in {Quantity.Duration(duration)} are not "
                + $"{Quantity.Count(most)}"
            : null;
    }

    // What came too late has a value and did not return.
    private static string? ProblemOfSeries(RunRecord record, RunSummary summary, long returned)
    {
        var timed = record.Role is Producer ? returned + summary.Count(Counted.Late)
            : summary.Workload is { Operations.Count: > 0 } ? returned
            : null;
        return summary.Latencies.Where(series =>
                series.Name is "rtt" or "rtt-intended" or Measured.Service or Measured.Response)
            .Where(series => series.Count + (series.AboveRange ?? 0) + (series.BelowRange ?? 0) != timed
                && series.Count is not null && timed is not null)
            .Select(series => $"{summary.Name}: {series.Name} has {Quantity.Count(series.Count)} values, where "
                + $"{Quantity.Count(returned)} returned")
            .FirstOrDefault();
    }
}
