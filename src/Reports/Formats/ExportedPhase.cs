using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Formats;

/// <summary>A phase of a workload with the histograms of its operations, for the forms of other tools.</summary>
internal sealed class ExportedPhase
{
    private readonly Dictionary<string, ExportedSeries> _series = [];

    private ExportedPhase(RunRecord record, RunSummary summary) =>
        (Record, Summary, Workload) = (record, summary, WorkloadResults.Of(summary));

    public RunRecord Record { get; }

    public RunSummary Summary { get; }

    public WorkloadResult Workload { get; }

    /// <summary>When its first interval began; null where it has none.</summary>
    public DateTimeOffset? Start => _series.Values.Min(series => series.Start);

    /// <summary>The phases of a run, the floor not among them.</summary>
    /// <exception cref="ExportException">It is of no workload, or was killed.</exception>
    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public static IReadOnlyList<ExportedPhase> In(SavedRun run)
    {
        if (run.Record is not { } record)
            throw new ExportException($"{run.Folder}: the run was killed, or is still under way; there is no run.json");
        var phases = new List<ExportedPhase>();
        var byTag = new Dictionary<string, ExportedSeries>();
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            if (record.Summaries[place].Workload is not { IsFloor: false, Operations.Count: > 0 })
                continue;
            var phase = new ExportedPhase(record, record.Summaries[place]);
            foreach (var (operation, kind) in phase.Workload.Operations
                .SelectMany(operation => new[]
                {
                    (operation.Name, Measured.Service), (operation.Name, Measured.Response),
                }))
            {
                var name = Measured.OfOperation(operation, kind);
                byTag[RecordMetrics.MarkOf(record, place) + name] = phase._series[name] = new ExportedSeries();
            }

            phases.Add(phase);
        }

        if (phases.Count == 0)
            throw new ExportException($"{run.Folder}: a {record.Role} has no operations, which that form is of");
        foreach (var interval in run.ReadIntervals(tag => tag is not null && byTag.ContainsKey(tag)))
        {
            if (interval.Tag is { } tag)
                byTag[tag].Add(interval.Start, interval.Histogram);
        }

        return phases;
    }

    /// <summary>What was timed of an operation; of all where it is null.</summary>
    public ExportedSeries SeriesOf(OperationResult? operation) => operation is not null
        ? _series[Measured.OfOperation(operation.Name, Measured.Service)]
        : ExportedSeries.Sum(Workload.Operations.Select(
            one => _series[Measured.OfOperation(one.Name, Measured.Service)]));

    /// <summary>What the record says of an operation's times, or of those of all.</summary>
    public LatencySeries? FiguresOf(OperationResult? operation, string kind)
    {
        var name = operation is null ? kind : Measured.OfOperation(operation.Name, kind);
        return Summary.Latencies.FirstOrDefault(series => series.Name == name);
    }
}

/// <summary>A series of an operation: all of it, and second by second.</summary>
internal sealed class ExportedSeries
{
    private readonly SortedDictionary<DateTimeOffset, LatencyHistogram> _seconds = [];

    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    public DateTimeOffset? Start => _seconds.Count == 0 ? null : _seconds.First().Key;

    public IEnumerable<KeyValuePair<DateTimeOffset, LatencyHistogram>> Seconds => _seconds;

    public static ExportedSeries Sum(IEnumerable<ExportedSeries> parts)
    {
        var sum = new ExportedSeries();
        foreach (var part in parts)
        {
            // Seconds are coarser than the whole.
            sum.Total.Add(part.Total);
            foreach (var (start, values) in part._seconds)
                sum.AddSecond(start, values);
        }

        return sum;
    }

    public void Add(DateTimeOffset start, LatencyHistogram values)
    {
        AddSecond(start, values);
        Total.Add(values);
    }

    private void AddSecond(DateTimeOffset start, LatencyHistogram values)
    {
        if (!_seconds.TryGetValue(start, out var second))
            _seconds.Add(start, second = Small());
        second.Add(values);
    }

    // A run has many seconds: microseconds, as these forms have them, with two digits.
    private static LatencyHistogram Small() => new(1_000, 3_600_000_000_000, 2);
}

/// <summary>A run cannot be written in the form of another tool; the message says why.</summary>
public sealed class ExportException(string message) : Exception(message);
