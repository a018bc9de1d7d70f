using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Integration.Results;

/// <summary>What a service left behind below its working folder.</summary>
internal sealed class SavedRun(string folder)
{
    private readonly Lazy<RunRecord> _record = new(() => RunRecordReader.Read(folder));

    /// <summary>Where it lies.</summary>
    public string Folder { get; } = folder;

    /// <summary>Its run record.</summary>
    public RunRecord Record => _record.Value;

    /// <summary>The summary of the only target.</summary>
    public RunSummary Summary => Record.Summaries.ShouldHaveSingleItem();

    /// <summary>The numbers of the only target.</summary>
    public IReadOnlyList<RecordedMetric> Metrics => Summary.Metrics;

    /// <summary>A count of the only target.</summary>
    public long? Count(Metric metric) => Summary.Count(metric);

    /// <summary>The numbers of a target or producer; of all that a Consumer served by the name "all".</summary>
    public IReadOnlyList<RecordedMetric> CountsOf(string name) =>
        Record.Summaries.Single(summary => summary.Name == name).Metrics;

    /// <summary>
    /// That its service ended well; a machine that is too busy for the schedule is no fault of what is tested.
    /// </summary>
    public void ShouldBeValidUnlessLate(int exitCode, ServiceProcess service)
    {
        var isLate = Record.Verdict.Reasons.Any(
            reason => reason.Contains("the schedule could not be kept", StringComparison.Ordinal));
        exitCode.ShouldBe(isLate ? 4 : 0, service.ToString());
    }

    /// <summary>Waits for the end of services, which is as <see cref="ShouldBeValidUnlessLate"/> says.</summary>
    public static async Task EndValidUnlessLate(IEnumerable<ServiceProcess> services)
    {
        foreach (var service in services)
        {
            var code = await service.End();
            Of(service).ShouldBeValidUnlessLate(code, service);
        }
    }

    /// <summary>The only results of a service.</summary>
    public static SavedRun Of(ServiceProcess service) =>
        new(FoldersOf(service).ShouldHaveSingleItem(service.ToString()));

    /// <summary>All folders of results below a service's working folder.</summary>
    public static IReadOnlyList<string> FoldersOf(ServiceProcess service)
    {
        var root = Path.Combine(service.Folder, "results");
        return Directory.Exists(root) ? Directory.GetDirectories(root) : [];
    }

    /// <summary>How many intervals a service has logged so far, those in which nothing came, too.</summary>
    public static int IntervalsLoggedBy(ServiceProcess service)
    {
        try
        {
            return FoldersOf(service).Select(folder => ResultsFolder.Find(folder, ResultsFolder.IntervalLogName))
                .OfType<string>().Sum(log => File.ReadLines(log)
                    .Count(line => line.StartsWith("Tag=hiccups,", StringComparison.Ordinal)));
        }
        catch (IOException)
        {
            return 0; // It is being renamed, because the run ends.
        }
    }

    /// <summary>A series of the only target.</summary>
    public LatencySeries Series(string name) => Summary.Latencies.Single(series => series.Name == name);

    /// <summary>A percentile of a series, in nanoseconds.</summary>
    public long Value(string series, double percentile) =>
        Series(series).Percentiles.Single(row => row.Percentile == percentile).Value.ShouldNotBeNull();

    /// <summary>A percentile of a series, in milliseconds.</summary>
    public double PercentileMs(string series, double percentile) => Value(series, percentile) / 1e6;

    /// <summary>The intervals of the log, whole or partial, in their order.</summary>
    public IReadOnlyList<LoggedInterval> Intervals(out bool hasTornTail)
    {
        using var file = File.OpenRead(ResultsFolder.Find(Folder, ResultsFolder.IntervalLogName).ShouldNotBeNull());
        var reader = new IntervalLogReader(file);
        var intervals = reader.ReadAll().ToList();
        hasTornTail = reader.HasTornTail;
        return intervals;
    }

    /// <summary>The intervals of one tag, merged.</summary>
    public LatencyHistogram Merged(string tag)
    {
        var merged = LatencyHistogram.ForLatency();
        foreach (var interval in Intervals(out _).Where(interval => interval.Tag == tag))
            merged.Add(interval.Histogram);
        return merged;
    }
}
