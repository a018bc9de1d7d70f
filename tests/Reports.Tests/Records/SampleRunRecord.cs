using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Records;

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
        Regions = new() { Ways = [CreateWay("eu-west", "us-east"), CreateWay("us-east", "eu-west")] },
        Scenario = new() { Name = "tair-essd", Description = "YCSB", Source = "a paper", Scale = 0.001 },
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
        Verdict = new(VerdictStatus.NotValid, ["The target was lost for 12 ms."]),
        Thresholds = [new() { Expression = "rtt.p99<2ms", Measured = 1_500_000, Held = true, Reason = "held" }],
        ExitCode = 143,
    };

    private static MachineFacts CreateMachine() => MachineFacts.Read() with
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
        StartUtc = Start,
        Metrics =
        [
            RecordedMetric.Of(Counted.Asked, 1_005),
            RecordedMetric.Of(Counted.Sent, 1_000),
            RecordedMetric.Of(Counted.Unsent, 5),
            RecordedMetric.Of(Counted.Lost, 3) with { IsLeast = true },
            .. ((Metric[])
            [
                Counted.Refused, Counted.Read, Counted.Overwritten, Counted.Missing, Counted.Skipped, Counted.Unread,
                Counted.Written, Counted.Keys, Counted.Commands, Counted.Filtered, Counted.Rebuilt, Counted.Cut,
                Counted.TransactionsCut, Counted.Bytes,
            ]).Select((metric, place) => RecordedMetric.Of(metric, place)),
            .. Counted.OfOperations.Append(Counted.Redirected).Select(
                (metric, place) => RecordedMetric.Of(metric, 1_000 + place, "read")),
            RecordedMetric.Of(Counted.Kept, null), RecordedMetric.Of(Cost.ServerBusy, 0.25),
            RecordedMetric.Of(Counted.KeysBefore, 1_000), RecordedMetric.Of(Counted.KeysAfter, 1_001),
            RecordedMetric.Of(ReplicationLag.Mean, 123.5), RecordedMetric.Of(ReplicationLag.Max, 4_000),
            RecordedMetric.Of(ReplicationLag.Samples, 50), RecordedMetric.Of(Counted.Alerts, 1),
        ],
        Rates = new() { Asked = 1_000, Achieved = 999.5, Bytes = 127_936 },
        Latencies = [LatencySeries.Of("rtt", PercentileTable.Of(CreateHistogram(996)))],
        OneWay = [CreateOneWay()],
        NoOneWayBecause = "plain counts carry no stamps",
        Delay = new()
        {
            Source = "10.0.0.5:6379",
            Destination = "10.2.0.5:6379",
            Reading = "polling",
            Clocks = "one clock: nothing to correct",
            ErrorNs = 23_456,
            DeadlineNs = 5_000_000_000,
            Unanswered = 3,
            MissingAtSource = 1,
            Polls = 20_000,
            Direct = new(750, 14_000_000.5, 13_900_000, 1_200_000, 800_000),
            Heartbeat = new()
            {
                IntervalNs = 50_000_000,
                WindowNs = 60_000_000_000,
                Windows = 3,
                LongestAgeNs = 2_100_000_000,
            },
        },
        Workload = CreateWorkload(),
        Sync = new()
        {
            Source = "a:6379",
            Target = "b:6379",
            AppliedOffset = 4711,
            Skips = [new("the key is at the target already", "key:1", 1)],
        },
    };

    private static WorkloadResult CreateWorkload() => new()
    {
        Verb = "run",
        Group = "xlarge",
        Phase = "Uniform-Read",
        Tag = "2",
        Options = new Dictionary<string, string> { ["records"] = "1000" },
        Operations =
        [
            new()
            {
                Name = "read",
                Command = "GET __key__",
                ErrorReplies = new Dictionary<string, long> { ["LOADING"] = 5 },
                ErrorExamples = new Dictionary<string, string> { ["LOADING"] = "LOADING Redis is loading" },
            },
        ],
        Engine = new()
        {
            Loop = "epoll_pwait2",
            IsCluster = true,
            ReadFrom = "replica",
            Servers = [new() { Address = "127.0.0.1:7001", Role = "primary", Reads = 10, Writes = 20 }],
            PrimaryChanges = [new() { AtNs = 1_500_000_000, From = "127.0.0.1:7002", To = "127.0.0.1:7001" }],
            Threads = 2,
            ConnectionsPerThread = 50,
            Pipeline = 16,
            IsClientLibrary = true,
            IsCpuOfProcess = true,
            Refusals = new Dictionary<string, long> { ["ERR"] = 3 },
            RefusalExamples = new Dictionary<string, string> { ["ERR"] = "ERR max number of clients reached" },
        },
        ServerCommands =
        [
            new()
            {
                Command = "get",
                Calls = 1_000,
                Rejected = 0,
                Failed = 0,
                MeanMicroseconds = 1.5,
                P50Microseconds = 2,
                P99Microseconds = 8,
            },
        ],
        ServersAsked = 1,
        Limit = "the server was the limit",
        Published = [new() { Category = "4 GB", Operation = "read", Qps = 103_890, AverageUs = 294, P99Us = 907 }],
    };

    private static OneWayPair CreateOneWay() => new()
    {
        Consumer = "us-1 in us-east",
        Region = "us-east",
        ConsumerId = "00f00ba400f00ba5",
        ClockMode = "probes∩utc",
        IsSynthetic = true,
        Grade = OneWayGrade.B,
        Headline = OneWayHeadline.OneWay,
        Reasons = ["E is 12 % of the smaller median."],
        Offset = new()
        {
            OffsetNs = -1_284_000,
            AtNs = 20_000_000_000,
            ErrorMedianNs = 212_000,
            ErrorWorstNs = 340_000,
            SkewPpm = -3.41,
            SkewLowPpm = -3.9,
            SkewHighPpm = -2.9,
            Windows = 12,
            ProvenWindows = 9,
            UnboundedWindows = 2,
            ContradictedWindows = 1,
            Steps = 1,
            Breaks = [new(15_000_000_000, "step", 5_000_000)],
        },
        Probes = new()
        {
            Lanes = ["echo", "udp 10.0.0.5:7000"],
            Echoes = 996,
            Sent = 500,
            Answered = 499,
            Refused = 1,
            AcceptedShare = 0.31,
            Impossible = 1,
            Contradicting = 2,
            MinNetworkNs = 77_800_000,
            Problem = "udp 10.0.0.5:7000 does not answer",
        },
        Claims =
        [
            new()
            {
                Name = "utc",
                Source = "eu-1 by chrony, us-1 by chrony",
                IsAccepted = true,
                Reason = "both hosts have an accepted claim",
                ContradictedWindows = 1,
                ErrorNs = 212_000,
            },
        ],
        Assumptions = [new("oscillator", 50, "ppm", "how far either crystal may run from true time")],
        Series =
        [
            OneWaySeries.Of("forward", CreateSigned(996), 340_000) with
            {
                NegativesBeyondError = 1,
                BelowFloor = 1,
                Variation = LatencySeries.Of("forward", PercentileTable.Of(CreateHistogram(996))),
            },
        ],
        Check = new(39_020_000, 39_090_000, 78_110_000),
        Asymmetry = new(-70_000, 680_000, 39_055_000),
        ConsumerSeries = new()
        {
            Received = 2_000,
            Count = 996,
            MeanNs = 39_020_000.5,
            MinNs = -5,
            MaxNs = 41_000_000,
            Negatives = 1,
        },
        Uncorrected = 3,
        ImpossibleStamps = 4,
    };

    private static RegionWay CreateWay(string from, string to)
    {
        var pair = CreateOneWay();
        return new RegionWay
        {
            From = from,
            To = to,
            Producer = $"1 in {from}",
            Consumer = $"1 in {to}",
            IsInDoubt = true,
            Grade = OneWayGrade.B,
            Forward = pair.Series[0],
            Check = pair.Check,
            Asymmetry = pair.Asymmetry,
            Offset = pair.Offset,
        };
    }

    private static SignedLatencyHistogram CreateSigned(int count)
    {
        var histogram = SignedLatencyHistogram.ForLatency();
        for (var i = 0; i < count; i++)
            histogram.Record((i - 10) * 1_000);
        return histogram;
    }

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
