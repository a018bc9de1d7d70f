using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using ThresholdResult = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Hosting.Results;

/// <summary>What a run found: the part of its record that its service knows.</summary>
public sealed record RunFindings
{
    public required IReadOnlyList<RunSummary> Summaries { get; init; }
    public ServedForward? Forward { get; init; }
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }
    public IReadOnlyList<RunEvent> Events { get; init; } = [];

    /// <summary>Why what was asked for was not measured, a sentence each; none where it was.</summary>
    public required IReadOnlyList<string> Faults { get; init; }

    /// <summary>Which numbers the machine made a part of, besides what <see cref="Shown"/> leads to.</summary>
    public IReadOnlyList<string> Doubts { get; init; } = [];

    public required IReadOnlyList<string> Notes { get; init; }

    /// <summary>The percentiles that pauses of the machine may be a part of.</summary>
    public required IReadOnlyList<ShownPercentiles> Shown { get; init; }

    public required IReadOnlyList<ThresholdResult> Thresholds { get; init; }

    /// <summary>What ended it early, besides a failure or a signal.</summary>
    public string? EndedBy { get; init; }

    /// <summary>Whether a signal is its usual end, so that it is whole then.</summary>
    public bool EndsWhenStopped { get; init; }

    /// <summary>Whether a threshold on what is not known is nobody's fault.</summary>
    public bool ForgivesUnknown { get; init; }
}
