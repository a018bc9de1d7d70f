namespace RedisLatency.Reports.Records;

/// <summary>A measurement of another tool: what is known of its numbers.</summary>
public sealed record ImportedRun
{
    /// <summary>The tool: memtier_benchmark, redis-benchmark, YCSB, RedisShake, HdrHistogram.</summary>
    public required string Tool { get; init; }

    /// <summary>Its version; null where the file does not say.</summary>
    public string? Version { get; init; }

    /// <summary>The file's name.</summary>
    public required string File { get; init; }

    /// <summary>The SHA-256 of what the file holds, in hexadecimal: a copy of it has the same.</summary>
    public string? Sha256 { get; init; }

    /// <summary>What form the file has: JSON, CSV, text, interval log, percentile distribution, status.</summary>
    public required string Form { get; init; }

    /// <summary>By how much its smallest values step, in nanoseconds; null where there are no latencies.</summary>
    public long? ResolutionNs { get; init; }

    /// <summary>Whether the percentiles are those of whole histograms, and not the few that the file names.</summary>
    public bool HasHistograms { get; init; }

    /// <summary>What else the file says, by its own names.</summary>
    public IReadOnlyDictionary<string, string> Facts { get; init; } = new Dictionary<string, string>();
}
