namespace RedisLatency.Workloads.Commands;

/// <summary>As it is sent, the slot of its first key, -1 where it has none, and its name's place.</summary>
internal sealed record ReplayedCommand(byte[] Request, int Slot, int Name);
