using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

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

    /// <summary>
    /// Of another tool's measurement what it says, which tells it from others; null of a process of this suite, which
    /// its start tells from others.
    /// </summary>
    public string? Content { get; init; }

    /// <summary>What no two processes share: a copy of its folder has it, too.</summary>
    [JsonIgnore]
    public string Identity => Content is not null ? Content : StartNs is null
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
            Content = record.Imported is { } imported ? imported.Sha256 ?? NumbersOf(record) : null,
        },
    ];

    // An older import says no more of its file.
    private static string NumbersOf(RunRecord record) => string.Join(
        ' ', record.Metrics.Select(metric => FormattableString.Invariant($"{metric.Key}={metric.Value:R}")));
}
