namespace RedisLatency.Workloads.Commands;

/// <summary>One operation of a mix; its weight counts beside the others', and several may share a key stream.</summary>
internal sealed record MixedOperation(string Name, CommandTemplate Command, double Weight = 1, int KeyStream = 0);
