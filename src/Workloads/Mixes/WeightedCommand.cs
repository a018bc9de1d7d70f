namespace RedisLatency.Workloads.Mixes;

/// <summary>A command line with placeholders, and how often it comes beside the others.</summary>
/// <param name="Text">The command: <c>SET __key__ __data__</c>.</param>
/// <param name="Weight">Not negative.</param>
internal sealed record WeightedCommand(string Text, double Weight);
