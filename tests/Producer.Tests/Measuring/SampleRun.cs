using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Producer.Tests.Measuring;

/// <summary>Run records made by hand, with the longest numbers that a table has to hold.</summary>
internal static class SampleRun
{
    private static readonly string[] OpenLoopSeries =
        ["rtt-intended", "rtt", "network-intended", "network", "residence", "lateness"];

    public static RunRecord On(params string[] targets) => new()
    {
        SchemaVersion = RunRecord.CurrentSchemaVersion,
        SuiteVersion = "0.1.0+build",
        Run = "night",
        Role = "producer",
        Region = "eu-west",
        Instance = "eu-1",
        Options = [new("rate", "5000", OptionSource.CommandLine), new("streams", "1", OptionSource.Default)],
        Environment = MachineFacts.Read(),
        Targets = [.. targets.Select(TargetOf)],
        Phases = [new("measure", new DateTimeOffset(2026, 3, 1, 12, 5, 9, TimeSpan.Zero), 1_000, 10_000_000_000)],
        Summaries = [.. targets.Select((name, i) => SummaryOf(name, i))],
        Hiccups = SeriesOf("hiccups", 1_000, 9_000),
        Verdict = new(VerdictStatus.Valid, [$"{targets[0]}: something to keep in mind that is rather longer than a line can be."]),
        ExitCode = 0,
    };

    public static LatencySeries SeriesOf(string name, long scaleNs, int count)
    {
        var histogram = LatencyHistogram.ForLatency();
        for (var i = 1; i <= count; i++)
            histogram.Record(i * scaleNs);
        return LatencySeries.Of(name, PercentileTable.Of(histogram));
    }

    private static MeasuredTarget TargetOf(string name) => new()
    {
        Name = name,
        Endpoint = $"redis://{name}",
        Driver = "raw",
        DriverVersion = "0.1.0",
        Protocol = 3,
        Transport = "tcp, blocking recv",
        Server = new() { Name = "redis", Version = "7.0.15", Mode = "standalone" },
    };

    private static RunSummary SummaryOf(string name, int index) => new()
    {
        Name = name,
        Peers = ["eu-2 in eu-west"],
        DurationNs = 20_000_000_000,
        Metrics =
        [
            RecordedMetric.Of(Counted.Asked, 123_456_789),
            RecordedMetric.Of(Counted.Sent, 123_456_789),
            RecordedMetric.Of(Counted.Unsent, 0),
            RecordedMetric.Of(Counted.Returned, 123_456_789),
            RecordedMetric.Of(Counted.Lost, 0),
            RecordedMetric.Of(Counted.Late, 0),
            RecordedMetric.Of(Counted.Duplicated, 0),
            RecordedMetric.Of(Counted.Reordered, 0),
            RecordedMetric.Of(Counted.Wrong, 0),
            RecordedMetric.Of(Counted.Corrupted, 0),
            RecordedMetric.Of(Counted.Foreign, 0),
        ],
        Rates = new() { Asked = 5_000, Achieved = 4_999.5 },
        Latencies = [.. OpenLoopSeries.Select(series => SeriesOf(series, 100_000 * (index + 1), 2_000))],
    };
}
