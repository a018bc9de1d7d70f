using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// Merges interval logs into one, in the order of their intervals. At most 64 are open at a time, and of each one
/// interval is in memory; of more, some are merged into one for a while.
/// </summary>
/// <param name="folder">Takes the log, and those that are there for a while.</param>
/// <param name="origin">When the first interval of all began.</param>
/// <param name="writtenBy">Program and version.</param>
internal sealed class LogMerge(ResultsFolder folder, DateTimeOffset origin, string writtenBy)
{
    internal const int MostOpen = 64;

    private int _between;

    /// <summary>Merges them.</summary>
    /// <param name="logs">All parts' logs.</param>
    /// <param name="sumOf">Which series, that no log has, a tag is a part of; null for none.</param>
    /// <returns>All series by their tags, and the sums.</returns>
    /// <exception cref="SavedRunException">A log is not any more what it was.</exception>
    /// <exception cref="ResultsWriteException">The log cannot be written.</exception>
    public IReadOnlyDictionary<string, MergedSeries> Merge(
        IReadOnlyList<PartLog> logs, Func<string, string?> sumOf)
    {
        var between = new List<string>();
        try
        {
            while (logs.Count > MostOpen)
            {
                var last = between.ToList();
                logs = [.. logs.Chunk(MostOpen).Select(some => MergeSome(some, between))];
                last.ForEach(File.Delete);
                between.RemoveAll(last.Contains);
            }

            return Merge(logs, ResultsFolder.IntervalLogName, sumOf);
        }
        finally
        {
            between.ForEach(File.Delete);
        }
    }

    private PartLog MergeSome(IReadOnlyList<PartLog> logs, List<string> between)
    {
        var name = FormattableString.Invariant($"merging-{++_between}.hlog");
        var file = Path.Combine(folder.Path, name);
        between.Add(file);
        Merge(logs, name, _ => null);
        return new PartLog(file);
    }

    private Dictionary<string, MergedSeries> Merge(
        IReadOnlyList<PartLog> logs, string name, Func<string, string?> sumOf)
    {
        using var file = folder.CreateFile(name);
        var writer = new IntervalLogWriter(file, origin, writtenBy);
        var series = new Dictionary<string, MergedSeries>(StringComparer.Ordinal);
        foreach (var (tag, interval) in InOrder(logs))
        {
            Find(tag, writer).Add(interval);
            if (sumOf(tag) is { } sum)
                Find(sum, null).Add(interval);
        }

        foreach (var one in series.Values)
            one.End();
        file.Complete();
        return series;

        MergedSeries Find(string tag, IntervalLogWriter? log)
        {
            if (!series.TryGetValue(tag, out var found))
                series.Add(tag, found = new MergedSeries(log, tag, origin));
            return found;
        }
    }

    private static IEnumerable<(string Tag, LoggedInterval Interval)> InOrder(IReadOnlyList<PartLog> logs)
    {
        var open = new List<IEnumerator<LoggedInterval>>();
        try
        {
            var next = new PriorityQueue<(IEnumerator<LoggedInterval> Intervals, PartLog Log), DateTimeOffset>();
            foreach (var log in logs)
            {
                var intervals = SavedRun.Read(log.File).GetEnumerator();
                open.Add(intervals);
                if (intervals.MoveNext())
                    next.Enqueue((intervals, log), intervals.Current.Start);
            }

            while (next.TryDequeue(out var first, out _))
            {
                var interval = first.Intervals.Current;
                yield return (first.Log.TagOf(interval.Tag), interval);
                if (first.Intervals.MoveNext())
                    next.Enqueue(first, first.Intervals.Current.Start);
            }
        }
        finally
        {
            open.ForEach(intervals => intervals.Dispose());
        }
    }
}

/// <summary>The log of a part.</summary>
/// <param name="File">Where it is.</param>
/// <param name="Renamed">What its tags are called in the merged log, where otherwise; null where none is.</param>
internal sealed record PartLog(string File, IReadOnlyDictionary<string, string>? Renamed = null)
{
    public string TagOf(string? tag) => Renamed?.GetValueOrDefault(tag ?? string.Empty) ?? tag ?? string.Empty;
}
