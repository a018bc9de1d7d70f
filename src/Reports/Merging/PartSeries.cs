using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Merging;

/// <summary>How much the interval log of a part holds, and whether that is what its record says.</summary>
internal sealed class PartSeries
{
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);
    private readonly SavedRun _run;

    /// <summary>Reads it to its end.</summary>
    /// <exception cref="SavedRunException">It cannot be read, or a line of it is none of a log.</exception>
    public PartSeries(SavedRun run)
    {
        _run = run;
        foreach (var interval in run.ReadIntervals())
        {
            var count = interval.Histogram.TotalCount;
            Start = Start is { } start && start <= interval.Start ? start : interval.Start;
            Count += (UInt128)count;
            _counts[interval.Tag ?? string.Empty] =
                unchecked(_counts.GetValueOrDefault(interval.Tag ?? string.Empty) + count);
        }
    }

    public IEnumerable<string> Tags => _counts.Keys;

    /// <summary>When its first interval began; null where there is none.</summary>
    public DateTimeOffset? Start { get; }

    /// <summary>How many values there are in all series.</summary>
    public UInt128 Count { get; }

    /// <summary>Why it is not what the record says; null where it is.</summary>
    public string? Problem(RunRecord record)
    {
        if (_run.LogFile is null)
            return "there is no interval log, and percentiles alone cannot be added";
        if (_run.HasTornTail)
            return "the last line of the interval log is torn";
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            foreach (var series in record.Summaries[place].Latencies.Where(series => !MergedSummary.IsSum(series.Name)))
            {
                if (Problem(mark + series.Name, series.Count, Count(mark + series.Name)) is { } problem)
                    return problem;
            }

            for (var pair = 0; pair < record.Summaries[place].OneWay.Count; pair++)
            {
                foreach (var series in record.Summaries[place].OneWay[pair].Series)
                {
                    var tag = MergedPair.MarkOf(mark, pair) + series.Name;
                    if (Problem(tag, series.Count, Count(tag) + Count(tag + MergedPair.NegativeEnd)) is { } problem)
                        return problem;
                }
            }
        }

        return null;

        long Count(string tag) => _counts.GetValueOrDefault(tag);
    }

    private static string? Problem(string tag, long? said, long logged) => said == logged ? null
        : $"the interval log has {Quantity.Count(logged)} values of {tag}, the record {Quantity.Count(said)}: it is "
            + "truncated, or of another run";
}
