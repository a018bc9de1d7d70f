namespace RedisLatency.Workloads.Commands;

/// <summary>An operation and its weight, as <c>--mix</c> has them.</summary>
internal sealed record MixPart(string Operation, double Weight);
