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

    // Of a histogram: a mean is of exact values.
    private const double Step = 0.002;

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

        // Another tool's numbers are as its file has them.
        var isOwn = record.Imported is null;
        if (summary.Count(Counted.Returned) is not { } returned)
            return isOwn ? ProblemOfParts(summary) ?? ProblemOfValues(summary) : null;
        // Of one message several consumers return one each.
        if (returned > (summary.Count(Counted.Owed) ?? (summary.Workload is null ? null : sent)))
            return $"{summary.Name}: {Quantity.Count(returned)} returned are more than there were";
        return !isOwn ? null
            : ProblemOfOperations(summary, sent, returned)
                ?? ProblemOfRate(record, summary, returned) ?? ProblemOfSeries(record, summary, returned)
                ?? ProblemOfParts(summary) ?? ProblemOfValues(summary);
    }

    private static string? ProblemOfParts(RunSummary summary)
    {
        foreach (var parts in summary.Metrics.Where(row => row.Labels is not null).GroupBy(row => row.Name))
        {
            var all = summary.Metrics.FirstOrDefault(
                row => row is { Labels: null, IsLeast: false } && row.Name == parts.Key)?.Value;
            var sum = parts.Sum(row => row.Value);
            if (all is not null && sum != all)
            {
                return $"{summary.Name}: {parts.Key} of operations, {Quantity.Number(sum ?? 0)} together, are not "
                    + Quantity.Number(all.Value);
            }
        }

        return null;
    }

    // As of any histogram: percentiles rise, between the least and the most, each within its interval.
    private static string? ProblemOfValues(RunSummary summary)
    {
        foreach (var series in summary.Latencies)
        {
            var known = series.Percentiles.Where(row => row.IsKnown).OrderBy(row => row.Percentile).ToList();
            double?[] rising = [series.Min, .. known.Select(row => row.Value), series.Max];
            var values = rising.OfType<double>().ToList();
            if (!values.SequenceEqual(values.Order())
                || series.Mean * (1 + Step) < series.Min || series.Mean > series.Max * (1 + Step)
                || known.Exists(row => row.Lower > row.Value || row.Upper < row.Value))
            {
                return $"{summary.Name}: the values of {series.Name} are of no histogram";
            }
        }

        return null;
    }

    private static string? ProblemOfOperations(RunSummary summary, long? sent, long returned)
    {
        if (summary.Workload is null)
            return null;
        if (summary.Count(Counted.Completed) is { } completed && completed != returned)
        {
            return $"{summary.Name}: {Quantity.Count(completed)} completed are not {Quantity.Count(returned)} "
                + "returned";
        }

        var ended = ((Metric[])[Counted.Returned, Counted.Errors, Counted.TimedOut, Counted.Lost])
            .Sum(metric => summary.Count(metric) ?? 0);
        return ended > sent
            ? $"{summary.Name}: {Quantity.Count(ended)} ended are more than {Quantity.Count(sent)} sent"
            : null;
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
