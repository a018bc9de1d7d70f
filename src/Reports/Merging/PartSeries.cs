using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Merging;

/// <summary>What the interval log of a part holds, and whether that is what its record says.</summary>
internal sealed class PartSeries
{
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);
    private readonly SavedRun _run;
    private readonly LoggedSeries _logged;

    /// <summary>Reads it to its end.</summary>
    /// <param name="run">The part.</param>
    /// <param name="logged">Takes what is compared with the record.</param>
    /// <exception cref="SavedRunException">It cannot be read, or a line of it is none of a log.</exception>
    public PartSeries(SavedRun run, LoggedSeries logged)
    {
        (_run, _logged) = (run, logged);
        logged.Begin(run.Record);
        foreach (var interval in run.ReadIntervals())
        {
            var (tag, count) = (interval.Tag ?? string.Empty, interval.Histogram.TotalCount);
            Start = Start is { } start && start <= interval.Start ? start : interval.Start;
            Count += (UInt128)count;
            _counts[tag] = unchecked(_counts.GetValueOrDefault(tag) + count);
            logged.Add(tag, interval.Histogram);
        }
    }

    public IEnumerable<string> Tags => _counts.Keys;

    /// <summary>When its first interval began; null where there is none.</summary>
    public DateTimeOffset? Start { get; }

    /// <summary>How many values there are in all series.</summary>
    public UInt128 Count { get; }

    /// <summary>Why it is not what the record says; null where it is.</summary>
    public string? Problem() => _run.LogFile is null
        ? "there is no interval log, and percentiles alone cannot be added"
        : _run.HasTornTail ? "the last line of the interval log is torn"
        : _logged.Problem();
}
