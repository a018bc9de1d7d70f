namespace RedisLatency.Lab.SelfTest;

internal sealed record RowOutcome
{
    public required string Row { get; init; }

    public required string Title { get; init; }

    public required RowVerdict Verdict { get; init; }

    public string? Reason { get; init; }

    public IReadOnlyList<Finding> Findings { get; init; } = [];
}
