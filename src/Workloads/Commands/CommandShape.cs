namespace RedisLatency.Workloads.Commands;

/// <summary>For a client library: the first word, and which arguments are keys; null where all are.</summary>
internal sealed record CommandShape(string Name, IReadOnlyList<bool>? Keys);
