using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>Observations made by hand: what a producer could have reported.</summary>
internal static class Observed
{
    public const long Second = 1_000_000_000;

    public static OneWayPair Pair { get; } = new() { Consumer = "c-1", ConsumerId = "01", ClockMode = "probes" };

    /// <summary>What was reported of one pair, in a world in which both processes read the host's clock.</summary>
    public static Observation Of(OneWayPair pair, IReadOnlyList<RecordedMetric>? metrics = null,
        bool isValid = false) => new()
        {
            World = new World { Name = "world", Length = TimeSpan.FromSeconds(10) },
            Clocks = PlantedClocks.None,
            Windows = [],
            Messages = [],
            Record = new RunRecord
            {
                SchemaVersion = RunRecord.CurrentSchemaVersion,
                SuiteVersion = "0.1.0",
                Run = "selftest",
                Role = "producer",
                Instance = "p-1",
                Environment = MachineFacts.Read(),
                Summaries = [new RunSummary { Name = "messages", Metrics = metrics ?? [], OneWay = [pair] }],
                Verdict = new RunVerdict(isValid ? VerdictStatus.Valid : VerdictStatus.NotValid, []),
                ExitCode = 4,
            },
        };

    /// <summary>The same with these windows.</summary>
    public static Observation Of(params OffsetWindow[] windows) => Of(Pair) with { Windows = windows };

    /// <summary>A second of the producer's clock.</summary>
    public static OffsetWindow Window(int second, long offsetNs, long errorNs) => new()
    {
        StartNs = second * Second,
        EndNs = (second + 1) * Second,
        ReferenceNs = (second * Second) + (Second / 2),
        OffsetNs = offsetNs,
        SkewPpm = 0,
        SkewLowPpm = 0,
        SkewHighPpm = 0,
        ErrorAtStartNs = errorNs,
        ErrorAtReferenceNs = errorNs,
        ErrorAtEndNs = errorNs,
        DriftPpm = 1,
        ProbeLowNs = offsetNs - errorNs,
        ProbeHighNs = offsetNs + errorNs,
        Probes = 500,
        IsProven = true,
    };

    /// <summary>A direction of which the median alone is known.</summary>
    public static OneWaySeries Series(string name, long count, long medianNs, long errorNs) => new()
    {
        Name = name,
        Count = count,
        ErrorNs = errorNs,
        Mean = medianNs,
        Percentiles = [new PercentileRow(50, medianNs, null, null)],
    };

    /// <summary>Messages that all took as long there and as long back, of two processes with one clock.</summary>
    public static StampedMessage[] Messages(int count, long forwardNs, long backNs) =>
    [
        .. Enumerable.Range(1, count).Select(number => new StampedMessage(
            number * Second, number * Second, (number * Second) + forwardNs, (number * Second) + forwardNs,
            (number * Second) + forwardNs + backNs)),
    ];
}
