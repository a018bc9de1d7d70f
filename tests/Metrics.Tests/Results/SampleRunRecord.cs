using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Results.Records;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Tests.Results;

/// <summary>A run record with something in every place.</summary>
internal static class SampleRunRecord
{
    private static readonly DateTimeOffset Start = new(2026, 3, 1, 12, 5, 9, TimeSpan.Zero);

    public static RunRecord Create() => new()
    {
        SchemaVersion = RunRecord.CurrentSchemaVersion,
        SuiteVersion = "0.1.0",
        Run = "night",
        Role = "producer",
        Region = "eu-west",
        Instance = "eu-1",
        Partial = true,
        PartialReason = "stopped by SIGTERM",
        Options = [new("rate", "1000", OptionSource.CommandLine), new("run", "night", OptionSource.Environment)],
        Environment = CreateMachine(),
        Targets =
        [
            new()
            {
                Name = "a",
                Endpoint = "redis://127.0.0.1:6379/0",
                Driver = "raw",
                DriverVersion = "0.1.0",
                Server = new()
                {
                    Name = "redis",
                    Version = "7.0.15",
                    Mode = "standalone",
                    OperatingSystem = "Linux 6.1 x86_64",
                    Facts = new Dictionary<string, string> { ["io_threads_active"] = "0" },
                },
            },
        ],
        Phases = [new("measure", Start, 1_000, 10_000_000_000)],
        Summaries = [CreateSummary()],
        Hiccups = LatencySeries.Of("hiccups", PercentileTable.Of(CreateHistogram(40))),
        GcPauses = new GcPauses(3, 1, 0, 900_000, 500_000, LongestIsExact: true),
        Cpu = new()
        {
            ElapsedNs = 10_000_000_000,
            ProcessNs = 4_000_000_000,
            HostBusyShare = 0.5,
            HostStealShare = 0.01,
            ThrottledPeriods = 2,
            ThrottledNs = 12_000,
        },
        Events = [new(Start.AddSeconds(3), 3_000_001_000, "reconnected", "The connection was lost for 12 ms.")],
        Verdict = new(false, ["The target was lost for 12 ms."]),
        Thresholds = [new() { Expression = "rtt.p99<2ms", Measured = 1_500_000, Held = true, Reason = "held" }],
        ExitCode = 143,
    };

    private static MachineFacts CreateMachine() => MachineFactsReader.Read(new HostFiles()) with
    {
        ClockReadCost = new ClockReadCost(21.5, 20.25),
        CpuQuotaCores = 1.5,
        ClockSource = "tsc",
        IdleStates = "POLL 0",
        IdleGovernor = "menu",
        FrequencyGovernor = "performance",
        TimerSlackNs = 50_000,
        CpuDmaLatencyHeldMicroseconds = 0,
    };

    private static RunSummary CreateSummary() => new()
    {
        Name = "a",
        Counts = new()
        {
            Asked = 1_005,
            Sent = 1_000,
            Unsent = 5,
            Received = 999,
            Echoed = 999,
            Returned = 996,
            Lost = 3,
            Duplicated = 2,
            Reordered = 4,
            Late = 1,
            Wrong = 0,
            Foreign = 6,
            Corrupted = 7,
            InFlightLimitHits = 8,
        },
        Rates = new() { Asked = 1_000, Achieved = 999.5, Bytes = 127_936 },
        Latencies = [LatencySeries.Of("rtt", PercentileTable.Of(CreateHistogram(996)))],
    };

    private static LatencyHistogram CreateHistogram(int count)
    {
        var histogram = LatencyHistogram.ForLatency();
        for (var i = 1; i <= count; i++)
            histogram.Record(i * 1_000);
        histogram.Record(-1);
        histogram.Record(long.MaxValue);
        return histogram;
    }
}
