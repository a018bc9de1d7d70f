namespace RedisLatency.Workloads.Commands;

/// <summary>A placeholder in an argument of a command, or the fixed bytes between two.</summary>
internal readonly record struct CommandPiece(CommandPart Part, byte[] Literal)
{
    public long Least { get; init; }

    /// <summary>How many numbers a range has.</summary>
    public ulong Span { get; init; }
}
