namespace RedisLatency.Workloads.Commands;

/// <summary>
/// A command as a client library needs it: the first word, and which arguments are keys; null where all are.
/// </summary>
internal sealed record CommandShape(string Name, IReadOnlyList<bool>? Keys);
