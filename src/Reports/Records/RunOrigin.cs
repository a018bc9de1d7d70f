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
