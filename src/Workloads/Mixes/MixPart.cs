namespace RedisLatency.Workloads.Mixes;

/// <summary>An operation that has a name, and how often it comes beside the others.</summary>
/// <param name="Operation">As <see cref="Commands.BuiltInCommand"/> knows it: <c>get</c>, <c>mget:10</c>.</param>
/// <param name="Weight">Not negative.</param>
internal sealed record MixPart(string Operation, double Weight);
