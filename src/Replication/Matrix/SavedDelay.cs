using RedisLatency.Hosting.Options;
using RedisLatency.Metrics.Encodings;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.IntervalLogs;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Results.Records;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Matrix;

/// <summary>A run of <c>delay</c> that was kept: its record, and every delay in its interval log.</summary>
internal sealed class SavedDelay
{
    private SavedDelay(RunRecord record, ReplicationDelay delay) => (Record, Delay) = (record, delay);

    /// <summary>The whole run.</summary>
    public RunRecord Record { get; }

    /// <summary>What became of its keys.</summary>
    public ReplicationDelay Delay { get; }

    /// <summary>The least that the delays can be, from when keys were sent.</summary>
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();

    /// <summary>The middles.</summary>
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();

    /// <summary>The most that they can be.</summary>
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    /// <summary>The runs of a folder that a run left behind, or of all such folders in it, by their names.</summary>
    /// <exception cref="ConfigurationException">There are none, or one cannot be understood.</exception>
    public static IReadOnlyList<SavedDelay> ReadAll(string folder)
    {
        try
        {
            if (!Directory.Exists(folder) || File.Exists(Path.Combine(folder, ResultsFolder.RunRecordName)))
                return [Read(folder) ?? throw new ConfigurationException($"{folder} holds no run of delay")];
            var runs = Directory.EnumerateDirectories(folder)
                .Where(inner => File.Exists(Path.Combine(inner, ResultsFolder.RunRecordName)))
                .Order(StringComparer.Ordinal).Select(Read).OfType<SavedDelay>().ToList();
            return runs.Count > 0 ? runs : throw new ConfigurationException($"{folder} holds no run of delay");
        }
        catch (Exception failure) when (failure is RunRecordException or HistogramFormatException)
        {
            throw new ConfigurationException($"{folder}: {failure.Message}");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException($"{folder} cannot be read: {failure.Message}");
        }
    }

    private static SavedDelay? Read(string folder)
    {
        var record = RunRecordReader.Read(folder);
        if (record.Summaries.Select(summary => summary.Delay).FirstOrDefault(delay => delay is not null) is not { } delay)
            return null;
        var saved = new SavedDelay(record, delay);
        saved.ReadDelays(File.Exists(folder) ? Path.GetDirectoryName(Path.GetFullPath(folder))! : folder);
        return saved;
    }

    private void ReadDelays(string folder)
    {
        var path = Path.Combine(folder, ResultsFolder.IntervalLogName);
        // A run that was killed leaves its log under the name of an unfinished file.
        using var file = File.OpenRead(File.Exists(path) ? path : path + ResultsFileStream.PartialSuffix);
        foreach (var interval in new IntervalLogReader(file).ReadAll())
        {
            var series = interval.Tag switch
            {
                DelaySeriesNames.Delay + "-lower" => Least,
                DelaySeriesNames.Delay => Middle,
                DelaySeriesNames.Delay + "-upper" => Most,
                _ => null,
            };
            series?.Add(interval.Histogram);
        }
    }
}
