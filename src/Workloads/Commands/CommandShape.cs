namespace RedisLatency.Workloads.Commands;

/// <summary>What a client library has to know of a command.</summary>
/// <param name="Name">Its first word.</param>
/// <param name="Keys">Which of the arguments behind it are keys; null where all are, however many there are.</param>
internal sealed record CommandShape(string Name, IReadOnlyList<bool>? Keys);
