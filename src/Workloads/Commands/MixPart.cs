namespace RedisLatency.Workloads.Commands;

internal sealed record MixPart(string Operation, double Weight);
