using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Encodings;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.IntervalLogs;
using RedisLatency.Metrics.Results;
using RedisLatency.Replication.Figures;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Matrix;

internal sealed class SavedDelay
{
    private SavedDelay(RunRecord record, ReplicationDelay delay) => (Record, Delay) = (record, delay);

    public RunRecord Record { get; }
    public ReplicationDelay Delay { get; }
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    // The runs of a folder that a run left behind, or of all such folders in it, by their names; of a run to several
    // destinations one for each.
    public static IReadOnlyList<SavedDelay> ReadAll(string folder)
    {
        try
        {
            if (!Directory.Exists(folder) || File.Exists(Path.Combine(folder, ResultsFolder.RunRecordName)))
                return Required(Read(folder));
            return Required(Directory.EnumerateDirectories(folder)
                .Where(inner => File.Exists(Path.Combine(inner, ResultsFolder.RunRecordName)))
                .Order(StringComparer.Ordinal).SelectMany(Read));
        }
        catch (Exception failure) when (failure is RunRecordException or HistogramFormatException)
        {
            throw new ConfigurationException($"{folder}: {failure.Message}");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException($"{folder} cannot be read: {failure.Message}");
        }

        IReadOnlyList<SavedDelay> Required(IEnumerable<SavedDelay> found) =>
            found.ToList() is { Count: > 0 } runs ? runs
                : throw new ConfigurationException($"{folder} holds no run of delay");
    }

    private static IEnumerable<SavedDelay> Read(string folder)
    {
        var record = RunRecordReader.Read(folder);
        // What another process read is in the reader's record.
        if (record.Summaries is not [{ Delay: { ReadElsewhere: false } delay }, ..])
            yield break;
        // Where there are several, their summaries follow that of all of them.
        int[] places = delay.Destinations <= 1 ? [0] : [.. Enumerable.Range(1, delay.Destinations)];
        foreach (var place in places)
        {
            if (record.Summaries.ElementAtOrDefault(place)?.Delay is not { } one)
                throw new ConfigurationException(
                    $"{folder} has no summary of each of its {delay.Destinations} destinations");
            var saved = new SavedDelay(record, one);
            saved.ReadDelays(
                File.Exists(folder) ? Path.GetDirectoryName(Path.GetFullPath(folder))! : folder,
                place == 0 ? DelayMetrics.Delay.Name : SummaryMark.TagOf(place, DelayMetrics.Delay.Name));
            saved.CountMissing(record.Summaries[place], DelayMetrics.Delay.Name);
            yield return saved;
        }
    }

    private void ReadDelays(string folder, string tag)
    {
        var path = Path.Combine(folder, ResultsFolder.IntervalLogName);
        // A run that was killed leaves its log under the name of an unfinished file.
        using var file = File.OpenRead(File.Exists(path) ? path : path + ResultsFileStream.PartialSuffix);
        foreach (var interval in new IntervalLogReader(file).ReadAll())
        {
            var series = interval.Tag == tag ? Middle
                : interval.Tag == tag + "-lower" ? Least
                : interval.Tag == tag + "-upper" ? Most
                : null;
            series?.Add(interval.Histogram);
        }
    }

    // Logs have what got a value. Of heartbeats those that were skipped are among them, so the record counts what is
    // missing.
    private void CountMissing(RunSummary summary, string name)
    {
        foreach (var part in (LatencyHistogram[])[Least, Middle, Most])
        {
            var recorded = part.BelowRange + part.TotalCount + part.AboveRange;
            part.AddMissing(Delay.Heartbeat is null
                ? Math.Max(0, Delay.Asked - recorded)
                : summary.Latencies.FirstOrDefault(series => series.Name == name)?.Missing ?? 0);
        }
    }
}
