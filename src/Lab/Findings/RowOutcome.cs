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
