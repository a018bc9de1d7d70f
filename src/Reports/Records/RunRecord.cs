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

    /// <summary>
    /// What was measured, each number by the name that thresholds have for it: rtt-intended.p99, lost. Times are in
    /// nanoseconds; what is not known is left out. Where there are several summaries, names begin as in the interval
    /// log: with b. for the second target, with 2. for the second phase or consumer.
    /// </summary>
    public IReadOnlyDictionary<string, double> Metrics => RecordMetrics.Of(this);

    /// <summary>The processes whose results were merged into this one; null where it is of one process.</summary>
    public IReadOnlyList<MergedPart>? MergedFrom { get; init; }

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

    /// <summary>What the process returned.</summary>
    public required int ExitCode { get; init; }
}

/// <summary>An option as it took effect.</summary>
/// <param name="Name">As on the command line, without the dashes.</param>
/// <param name="Value">As it would be typed; a secret is not an option's value here, but "***".</param>
/// <param name="Source">Where it came from.</param>
public sealed record RecordedOption(string Name, string Value, OptionSource Source)
{
    /// <summary>Each of several values, which stand side by side in the one; null of one alone.</summary>
    public IReadOnlyList<string>? Values { get; init; }
}

/// <summary>Something that happened during the run and may explain its numbers.</summary>
/// <param name="AtUtc">When, by the wall clock.</param>
/// <param name="AtNs">When, in nanoseconds of the host's monotonic clock.</param>
/// <param name="Kind">What, in one word: reconnected, stopped, stalled.</param>
/// <param name="Text">What, in a sentence.</param>
public sealed record RunEvent(DateTimeOffset AtUtc, long AtNs, string Kind, string Text);

/// <summary>A phase of the run.</summary>
/// <param name="Name">connect, calibrate, rendezvous, warmup, measure or drain.</param>
/// <param name="StartUtc">When it began, by the wall clock.</param>
/// <param name="StartNs">When it began, in nanoseconds of the host's monotonic clock.</param>
/// <param name="DurationNs">How long it took, in nanoseconds of that clock.</param>
public sealed record RecordedPhase(string Name, DateTimeOffset StartUtc, long StartNs, long DurationNs);

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

/// <summary>Whether the numbers may be relied on.</summary>
/// <param name="Status">Whether they may.</param>
/// <param name="Reasons">Why not, a sentence each, the gravest first; then what to keep in mind.</param>
public sealed record RunVerdict(VerdictStatus Status, IReadOnlyList<string> Reasons)
{
    /// <summary>
    /// No percentile up to this one can have been made by the machine, nor has too few samples, in any series that is
    /// shown first; null where there is none.
    /// </summary>
    public double? UpTo { get; init; }

    /// <summary>
    /// Whether what was asked for was measured, even if the instrument or the machine had a part in it.
    /// </summary>
    [JsonIgnore]
    public bool IsMeasured => Status != VerdictStatus.NotValid;
}

/// <summary>Whether the numbers of a run may be relied on.</summary>
public enum VerdictStatus
{
    /// <summary>They may.</summary>
    Valid,

    /// <summary>Measured as asked, but the instrument or the machine made a material part of some number.</summary>
    Doubtful,

    /// <summary>Not what was asked for.</summary>
    NotValid,

    /// <summary>Measured by another tool, which did not say how good it is.</summary>
    NotJudged,
}

/// <summary>Where the value of an option came from.</summary>
public enum OptionSource
{
    /// <summary>Nobody said otherwise.</summary>
    [JsonStringEnumMemberName("default")]
    Default,

    [JsonStringEnumMemberName("file")]
    File,

    [JsonStringEnumMemberName("environment")]
    Environment,

    [JsonStringEnumMemberName("command line")]
    CommandLine,
}

/// <summary>Another tool's measurement: what it left to be known of its numbers.</summary>
public sealed record ImportedRun
{
    /// <summary>The tool: memtier_benchmark, redis-benchmark, YCSB, RedisShake, HdrHistogram.</summary>
    public required string Tool { get; init; }

    /// <summary>Its version; null where the file does not say.</summary>
    public string? Version { get; init; }

    /// <summary>The file's name.</summary>
    public required string File { get; init; }

    /// <summary>What form the file has: JSON, CSV, text, interval log, percentile distribution, status.</summary>
    public required string Form { get; init; }

    /// <summary>By how much its smallest values step, in nanoseconds; null where there are no latencies.</summary>
    public long? ResolutionNs { get; init; }

    /// <summary>Whether the percentiles are those of whole histograms, and not the few that the file names.</summary>
    public bool HasHistograms { get; init; }

    /// <summary>What else the file says, by its own names.</summary>
    public IReadOnlyDictionary<string, string> Facts { get; init; } = new Dictionary<string, string>();
}

/// <summary>One process of a merged run.</summary>
public sealed record MergedPart
{
    /// <summary>Which process it was.</summary>
    public required string Instance { get; init; }

    /// <summary>Where it stood.</summary>
    public string? Region { get; init; }

    /// <summary>The host's name.</summary>
    public required string MachineName { get; init; }

    /// <summary>When it began, by its wall clock; null where its record does not say.</summary>
    public DateTimeOffset? StartUtc { get; init; }

    /// <summary>When it began, in nanoseconds of its host's monotonic clock; null likewise.</summary>
    public long? StartNs { get; init; }

    /// <summary>The name of its results folder.</summary>
    public required string Folder { get; init; }

    /// <summary>Whether its own numbers may be relied on.</summary>
    public required VerdictStatus Verdict { get; init; }

    /// <summary>What no two processes share: a copy of its folder has it, too.</summary>
    [JsonIgnore]
    public string Identity => StartNs is null
        ? $"{MachineName}/{Instance}/{Folder}"
        : FormattableString.Invariant($"{MachineName}/{Instance}/{StartUtc:O}/{StartNs}");

    /// <summary>The processes that a record is of.</summary>
    /// <param name="record">The record.</param>
    /// <param name="folder">The name of its folder.</param>
    public static IReadOnlyList<MergedPart> Of(RunRecord record, string folder) => record.MergedFrom ??
    [
        new()
        {
            Instance = record.Instance,
            Region = record.Region,
            MachineName = record.Environment.MachineName,
            StartUtc = record.Phases is [var first, ..] ? first.StartUtc : null,
            StartNs = record.Phases is [var begun, ..] ? begun.StartNs : null,
            Folder = folder,
            Verdict = record.Verdict.Status,
        },
    ];
}
