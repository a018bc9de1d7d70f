namespace RedisLatency.Workloads.Commands;

internal sealed record WeightedCommand(string Text, double Weight)
{
    // The place of the command whose stream of keys it goes on with.
    public int? KeysOf { get; init; }
}
