namespace RedisLatency.Workloads.Commands;

/// <summary>
/// A command of a replay: its bytes, the slot of its first key (-1 where it has none), and the index of its name.
/// </summary>
internal sealed record ReplayedCommand(byte[] Request, int Slot, int Name);
