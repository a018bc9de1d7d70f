using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Matrix;

/// <summary>The replication delays of a saved run to one destination, from its interval log.</summary>
public sealed class SavedDelay
{
    private SavedDelay(RunRecord record, RunSummary summary, ReplicationDelay delay) =>
        (Record, Summary, Delay) = (record, summary, delay);

    public RunRecord Record { get; }
    public RunSummary Summary { get; }
    public ReplicationDelay Delay { get; }
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    /// <summary>
    /// The delays of one run: of a run to several destinations one for each, of what is no run of delay none.
    /// </summary>
    /// <exception cref="SavedRunException">Its interval log cannot be read.</exception>
    public static IEnumerable<SavedDelay> Read(SavedRun run)
    {
        // What another process read is in the reader's record.
        if (run.Record is not { Summaries: [{ Delay: { ReadElsewhere: false } delay }, ..] } record)
            yield break;
        RequireOneAnswer(run);
        // Where there are several, their summaries follow that of all of them.
        int[] places = delay.Destinations <= 1 ? [0] : [.. Enumerable.Range(1, delay.Destinations)];
        foreach (var place in places)
        {
            if (record.Summaries.ElementAtOrDefault(place)?.Delay is not { } one)
            {
                throw new SavedRunException(
                    $"{run.Folder} has no summary of each of its {delay.Destinations} destinations");
            }

            var saved = new SavedDelay(record, record.Summaries[place], one);
            var series = Measured.Delay;
            saved.ReadDelays(run, place == 0 ? series : SummaryMark.TagOf(place, series));
            saved.CountMissing(series);
            yield return saved;
        }
    }

    // A torn log has less than its record, and a heartbeat's has beats that the record counts as skipped.
    private static void RequireOneAnswer(SavedRun run)
    {
        var logged = new LoggedSeries();
        logged.Begin(run.Record);
        foreach (var interval in run.ReadIntervals())
            logged.Add(interval.Tag ?? string.Empty, interval.Histogram);
        if (!run.HasTornTail && run.Record is not { Summaries: [{ Delay.Heartbeat: not null }, ..] }
            && logged.Problem() is { } problem)
            throw new SavedRunException($"{run.Folder}: {problem}");
    }

    private void ReadDelays(SavedRun run, string tag)
    {
        foreach (var interval in run.ReadIntervals())
        {
            var series = interval.Tag == tag ? Middle
                : interval.Tag == Measured.LowerOf(tag) ? Least
                : interval.Tag == Measured.UpperOf(tag) ? Most
                : null;
            series?.Add(interval.Histogram);
        }
    }

    // Logs have what got a value. Of heartbeats those that were skipped are among them, so the record counts what is
    // missing.
    private void CountMissing(string name)
    {
        foreach (var part in (LatencyHistogram[])[Least, Middle, Most])
        {
            var recorded = part.BelowRange + part.TotalCount + part.AboveRange;
            part.AddMissing(Delay.Heartbeat is null
                ? Math.Max(0, (Summary.Count(Counted.Asked) ?? 0) - recorded)
                : Summary.Latencies.FirstOrDefault(series => series.Name == name)?.Missing ?? 0);
        }
    }
}
