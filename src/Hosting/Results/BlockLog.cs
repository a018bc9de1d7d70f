using RedisLatency.Hosting.Options;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// What a run is about in parts of less than a second, as far as memory has kept them: up to 128, of all but long runs.
/// </summary>
internal static class BlockLog
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    /// <summary>Writes it where there is anything that the interval log has not.</summary>
    public static void Write(SavedResults saved, RunRecord record, IReadOnlyList<MetricSet> measured)
    {
        var about = Headline.NamesIn(record).ToHashSet(StringComparer.Ordinal);
        // Blocks of a server that was measured in turns do not say when each turn began.
        var once = measured.GroupBy(set => set).Where(turns => turns.Count() == 1).Select(turns => turns.Key);
        var kept = once.SelectMany(set => set.Series.Select(series =>
            (Tag: set.TagOf(series.Metric.Name), set.Began, series.Blocks)))
            .Where(one => one.Began is not null && about.Contains(one.Tag) && IsFine(one.Blocks)).ToList();
        if (kept.Count == 0 || saved.Folder is null)
            return;
        var log = new IntervalLogWriter(
            saved.CreateLines(ResultsFolder.BlockLogName), kept.Min(one => one.Began!.Value),
            $"RedisLatency {ProgramVersion.Text}");
        var histogram = LatencyHistogram.ForLatency();
        foreach (var (tag, began, blocks) in kept)
        {
            var start = began!.Value;
            for (var block = 0; block < blocks.Count; block++)
            {
                histogram.Reset();
                blocks.AddTo(block, histogram);
                log.Write(tag, start, blocks.DurationOf(block), histogram);
                start += blocks.DurationOf(block);
            }
        }
    }

    private static bool IsFine(SampleBlocks blocks) =>
        blocks.Count > 1 && blocks.DurationOf(0) <= Interval * 0.75;
}
