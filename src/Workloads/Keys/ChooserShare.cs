namespace RedisLatency.Workloads.Keys;

/// <summary>Which worker of how many draws, and for how many connections.</summary>
internal readonly record struct ChooserShare(int Worker, int Workers, int Connections);
