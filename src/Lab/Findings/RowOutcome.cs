namespace RedisLatency.Lab.Findings;

internal sealed record RowOutcome
{
    public required string Row { get; init; }

    public required string Title { get; init; }

    public required RowVerdict Verdict { get; init; }

    public string? Reason { get; init; }

    public IReadOnlyList<Finding> Findings { get; init; } = [];
}

internal enum RowVerdict
{
    Pass,

    /// <summary>Something planted was not reported.</summary>
    Miss,

    /// <summary>This machine cannot do it.</summary>
    Skipped,

    /// <summary>It could not be lived to its end.</summary>
    Failed,

    Stopped,
}
