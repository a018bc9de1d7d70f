namespace RedisLatency.Reports.Figures;

/// <summary>
/// One operation of a mix. The metrics with its label say what became of it: sent = completed + errors + timed out +
/// lost, once nothing is in flight.
/// </summary>
public record OperationResult
{
    /// <summary>The name of its series.</summary>
    public required string Name { get; init; }

    /// <summary>The command, with placeholders.</summary>
    public required string Command { get; init; }

    /// <summary>Error replies by their first word, also of those that were sent again.</summary>
    public IReadOnlyDictionary<string, long> ErrorReplies { get; init; } = new Dictionary<string, long>();

    /// <summary>The first of these as it came, for each first word.</summary>
    public IReadOnlyDictionary<string, string> ErrorExamples { get; init; } = new Dictionary<string, string>();
}
