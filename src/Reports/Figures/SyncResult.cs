namespace RedisLatency.Reports.Figures;

/// <summary>
/// Source and destination of a synchronisation; the metrics count what it carried: read = filtered + skipped + written,
/// where commands that were cut into several count as often as they were written. Skipped are also keys of a type that
/// a scan leaves out, which are not read, and parts of values that are written.
/// </summary>
public sealed record SyncResult
{
    /// <summary>Where from, without user and password.</summary>
    public required string Source { get; init; }

    /// <summary>Where to, without user and password.</summary>
    public required string Target { get; init; }

    /// <summary>The source's offset up to which the target has everything; null where the source has none.</summary>
    public long? AppliedOffset { get; init; }

    /// <summary>Why entries were skipped, the most frequent reason first.</summary>
    public IReadOnlyList<SkipReason> Skips { get; init; } = [];
}
