namespace RedisLatency.Lab.Findings;

/// <summary>A row with its end.</summary>
internal sealed record RowOutcome
{
    /// <summary>The row's name.</summary>
    public required string Row { get; init; }

    /// <summary>What it plants.</summary>
    public required string Title { get; init; }

    /// <summary>How it ended.</summary>
    public required RowVerdict Verdict { get; init; }

    /// <summary>Why it was skipped or failed; null otherwise.</summary>
    public string? Reason { get; init; }

    /// <summary>What was planted and reported.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];
}

/// <summary>How a row ended.</summary>
internal enum RowVerdict
{
    /// <summary>Everything planted was reported.</summary>
    Pass,

    /// <summary>Something was not.</summary>
    Miss,

    /// <summary>This machine cannot do it.</summary>
    Skipped,

    /// <summary>It could not be lived to its end.</summary>
    Failed,

    /// <summary>The self-test was stopped before it began or ended.</summary>
    Stopped,
}
