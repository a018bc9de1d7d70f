namespace RedisLatency.Workloads.Commands;

/// <summary>A piece of an argument.</summary>
/// <param name="Part">What it stands for.</param>
/// <param name="Literal">Its bytes, where they are always the same.</param>
internal readonly record struct CommandPiece(CommandPart Part, byte[] Literal);
