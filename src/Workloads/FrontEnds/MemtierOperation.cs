namespace RedisLatency.Workloads.FrontEnds;

/// <summary>One operation: the row it counts in, its command, how often it comes, where its keys are from.</summary>
internal sealed record MemtierOperation(string Row, string Command, int Weight, string? Keys)
{
    // The place of the one whose keys it goes on with.
    public int? KeysOf { get; init; }
}
