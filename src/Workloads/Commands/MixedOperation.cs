namespace RedisLatency.Workloads.Commands;

/// <summary>One operation of a mix.</summary>
/// <param name="Name">The name of its series: <c>get</c>.</param>
/// <param name="Command">What is sent.</param>
/// <param name="Weight">How often, beside the other weights.</param>
/// <param name="KeyStream">Which of the workload's key streams its keys come from, by number; operations may share one.</param>
internal sealed record MixedOperation(string Name, CommandTemplate Command, double Weight = 1, int KeyStream = 0);
