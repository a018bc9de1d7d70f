using System.Text.Json.Serialization;
using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>
/// Everything about one process's part in a run but its histograms: <c>run.json</c>, described by
/// docs/run-record.schema.json. What is null is left out. It has
/// no place for a secret.
/// </summary>
public sealed record RunRecord
{
    /// <summary>
    /// The version that this suite writes, and the only one it reads. It grows when a reader of the old one would
    /// misunderstand the new one; a new field that may be ignored does not change it.
    /// </summary>
    public const int CurrentSchemaVersion = 2;

    /// <summary>The version of the record's form.</summary>
    public required int SchemaVersion { get; init; }

    /// <summary>The version of the suite that wrote it.</summary>
    public required string SuiteVersion { get; init; }

    /// <summary>The run's name, the same in all its processes.</summary>
    public required string Run { get; init; }

    /// <summary>producer, consumer, workload or replication.</summary>
    public required string Role { get; init; }

    /// <summary>Where the process stood.</summary>
    public string? Region { get; init; }

    /// <summary>Which process it was.</summary>
    public required string Instance { get; init; }

    /// <summary>Whether the run ended before it was done.</summary>
    public bool Partial { get; init; }

    /// <summary>Why it did.</summary>
    public string? PartialReason { get; init; }

    /// <summary>
    /// What was measured, each number by the name that thresholds have for it: rtt-intended.p99, lost. Times are in
    /// nanoseconds; what is not known is left out. Where there are several summaries, names begin as in the interval
    /// log: with b. for the second target, with 2. for the second phase or consumer.
    /// </summary>
    public IReadOnlyDictionary<string, double> Metrics => RecordMetrics.Of(this);

    /// <summary>The processes whose results were merged into this one; null where it is of one process.</summary>
    public IReadOnlyList<MergedPart>? MergedFrom { get; init; }

    /// <summary>
    /// What lies between the regions of a merged run, from one to the other; null where nothing was measured so.
    /// </summary>
    public RegionMatrix? Regions { get; init; }

    /// <summary>Which other tool measured it; null where this suite did.</summary>
    public ImportedRun? Imported { get; init; }

    /// <summary>Every option that took effect.</summary>
    public IReadOnlyList<RecordedOption> Options { get; init; } = [];

    /// <summary>What it ran on and in.</summary>
    public required MachineFacts Environment { get; init; }

    /// <summary>The servers that were measured.</summary>
    public IReadOnlyList<MeasuredTarget> Targets { get; init; } = [];

    /// <summary>The phases it went through, in order.</summary>
    public IReadOnlyList<RecordedPhase> Phases { get; init; } = [];

    /// <summary>What was measured, per target or producer.</summary>
    public IReadOnlyList<RunSummary> Summaries { get; init; } = [];

    /// <summary>How the second target differs from the first, where two were measured in turns.</summary>
    public TargetComparison? Comparison { get; init; }

    /// <summary>The tool's own pauses during the measured phase: its thread that wakes every 5 ms.</summary>
    public LatencySeries? Hiccups { get; init; }

    /// <summary>
    /// The highest rate that a workload was held at under a latency limit; null where none was looked for.
    /// </summary>
    public RateSearchResult? Search { get; init; }

    /// <summary>Garbage collection during the measured phase.</summary>
    public GcPauses? GcPauses { get; init; }

    /// <summary>The CPU during the measured phase.</summary>
    public CpuUsage? Cpu { get; init; }

    /// <summary>The clock that stamped, and what its host said of it.</summary>
    public HostClock? Clock { get; init; }

    /// <summary>How this process could be asked for its time.</summary>
    public IReadOnlyList<ProbeService> ProbeServices { get; init; } = [];

    /// <summary>
    /// A consumer's own forward series; null where no producer sent it an offset, and for other roles.
    /// </summary>
    public ServedForward? Forward { get; init; }

    /// <summary>The scenario of a workload; null where the command line alone made it, and for other roles.</summary>
    public ScenarioFacts? Scenario { get; init; }

    /// <summary>What happened during the run, in order.</summary>
    public IReadOnlyList<RunEvent> Events { get; init; } = [];

    /// <summary>Whether the numbers may be relied on.</summary>
    public required RunVerdict Verdict { get; init; }

    /// <summary>The thresholds that were asked for.</summary>
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];

    /// <summary>Whether it is of one period of a run whose folder is closed each period (--rotate).</summary>
    [JsonIgnore]
    public bool IsRotated => MergedFrom is null
        && Options.Any(option => option is { Name: "rotate", Source: not OptionSource.Default });

    /// <summary>What the process returned.</summary>
    public required int ExitCode { get; init; }
}

/// <summary>Whether a threshold held.</summary>
public sealed record ThresholdResult
{
    /// <summary>As it was asked for, such as rtt.p99&lt;2ms.</summary>
    public required string Expression { get; init; }

    /// <summary>What was measured, in the unit of the series; null where it could not be told.</summary>
    public double? Measured { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Whether it held; null where it could not be told, so that the run is not valid.</summary>
    public bool? Held { get; init; }

    /// <summary>Why it could not be told.</summary>
    public string? Reason { get; init; }
}
