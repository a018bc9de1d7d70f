using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.OneWay;

namespace RedisLatency.Reports.Records;

/// <summary>
/// Everything about one process's part in a run but its histograms: <c>run.json</c>, described by
/// docs/run-record.schema.json. What is null is left out. It has
/// no place for a secret.
/// </summary>
public sealed record RunRecord
{
    /// <summary>
    /// The version that this suite writes, and the newest it reads. It grows when a reader of the old one would
    /// misunderstand the new one; a new field that may be ignored does not change it.
    /// </summary>
    public const int CurrentSchemaVersion = 1;

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

    /// <summary>Every option that took effect.</summary>
    public IReadOnlyList<EffectiveOption> Options { get; init; } = [];

    /// <summary>What it ran on and in.</summary>
    public required MachineFacts Environment { get; init; }

    /// <summary>The servers that were measured.</summary>
    public IReadOnlyList<MeasuredTarget> Targets { get; init; } = [];

    /// <summary>The phases it went through, in order.</summary>
    public IReadOnlyList<RunPhase> Phases { get; init; } = [];

    /// <summary>What was measured, per target or producer.</summary>
    public IReadOnlyList<RunSummary> Summaries { get; init; } = [];

    /// <summary>The tool's own pauses during the measured phase: its thread that wakes every 5 ms.</summary>
    public LatencySeries? Hiccups { get; init; }

    /// <summary>Garbage collection during the measured phase.</summary>
    public GcPauses? GcPauses { get; init; }

    /// <summary>The CPU during the measured phase.</summary>
    public CpuUsage? Cpu { get; init; }

    /// <summary>The clock that stamped, and what its host said of it.</summary>
    public HostClock? Clock { get; init; }

    /// <summary>How this process could be asked for its time.</summary>
    public IReadOnlyList<ProbeService> ProbeServices { get; init; } = [];

    /// <summary>A consumer's own forward series; null where no producer told it an offset, and for other roles.</summary>
    public ServedForward? Forward { get; init; }

    /// <summary>The scenario of a workload; null where the command line alone made it, and for other roles.</summary>
    public ScenarioFacts? Scenario { get; init; }

    /// <summary>What happened during the run, in order.</summary>
    public IReadOnlyList<RunEvent> Events { get; init; } = [];

    /// <summary>Whether the numbers may be relied on.</summary>
    public required RunVerdict Verdict { get; init; }

    /// <summary>The thresholds that were asked for.</summary>
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];

    /// <summary>What the process returned.</summary>
    public required int ExitCode { get; init; }
}
