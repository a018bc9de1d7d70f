namespace RedisLatency.Workloads.Totals;

/// <summary>
/// What was sent to one of several servers since measuring began; what was sent again to it counts again.
/// </summary>
/// <param name="Address">Where it is.</param>
/// <param name="Role">primary or replica in the newest map; empty where it has left it.</param>
/// <param name="Reads">Operations that only read.</param>
/// <param name="Writes">All others.</param>
internal sealed record NodeTotals(string Address, string Role, long Reads, long Writes);
