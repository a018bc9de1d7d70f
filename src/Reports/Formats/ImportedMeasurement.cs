using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>What a file of another tool says, in this suite's terms: nanoseconds, and its names of series.</summary>
internal sealed record ImportedMeasurement
{
    public required ImportedRun Origin { get; init; }

    /// <summary>The options that the other tool says it had, by its names.</summary>
    public IReadOnlyList<RecordedOption> Options { get; init; } = [];

    public IReadOnlyList<MeasuredTarget> Targets { get; init; } = [];

    /// <summary>When it was measured; null where the file does not say.</summary>
    public DateTimeOffset? Start { get; init; }

    public DateTimeOffset? End { get; init; }

    public IReadOnlyList<RunSummary> Summaries { get; init; } = [];

    /// <summary>The histograms, where the file has any; read again each time that they are asked for.</summary>
    public IEnumerable<LoggedInterval> Intervals { get; init; } = [];

    /// <summary>What to keep in mind, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Why the measurement ended early; null where it did not.</summary>
    public string? PartialReason { get; init; }
}
