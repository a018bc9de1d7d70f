namespace RedisLatency.Reports.Figures;

/// <summary>
/// What a synchronisation carried over: read = filtered + skipped + written, where commands that were cut into several
/// count as often as they were written. Skipped are also keys of a type that a scan leaves out, which are not read, and
/// parts of values that are written.
/// </summary>
public sealed record SyncResult
{
    /// <summary>Where from, without user and password.</summary>
    public required string Source { get; init; }

    /// <summary>Where to, without user and password.</summary>
    public required string Target { get; init; }

    /// <summary>Commands and keys that the source gave.</summary>
    public required long Read { get; init; }

    /// <summary>Of these, those that the target has.</summary>
    public long Written { get; init; }

    /// <summary>Keys that the target has restored.</summary>
    public required long Keys { get; init; }

    /// <summary>Commands that the target has carried out.</summary>
    public required long Commands { get; init; }

    /// <summary>Left out by filters, as asked.</summary>
    public required long Filtered { get; init; }

    /// <summary>What was there already, or could not be carried over.</summary>
    public required long Skipped { get; init; }

    /// <summary>Keys built by commands, because the target refused to restore them.</summary>
    public long Rebuilt { get; init; }

    /// <summary>Commands that were cut into several, for keys in several slots of the target.</summary>
    public long Cut { get; init; }

    /// <summary>Transactions that are none at the target, for the same reason.</summary>
    public long TransactionsCut { get; init; }

    /// <summary>Bytes of requests that the target has carried out.</summary>
    public long Bytes { get; init; }

    /// <summary>The source's offset up to which the target has everything; null where the source has none.</summary>
    public long? AppliedOffset { get; init; }

    /// <summary>Why entries were skipped, the most frequent reason first.</summary>
    public IReadOnlyList<SkipReason> Skips { get; init; } = [];
}

/// <summary>Why entries were skipped.</summary>
/// <param name="Reason">In words.</param>
/// <param name="First">The first key.</param>
/// <param name="Count">How many.</param>
public sealed record SkipReason(string Reason, string First, long Count);
