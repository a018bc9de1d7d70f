namespace RedisLatency.Workloads.Commands;

/// <summary>
/// The places of operations that come in turn, where weights do not say it: some once, then others again and again.
/// </summary>
internal sealed record OperationTurns(IReadOnlyList<int> First, IReadOnlyList<int> Then);
