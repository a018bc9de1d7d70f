namespace RedisLatency.Workloads.Commands;

internal readonly record struct CommandPiece(CommandPart Part, byte[] Literal)
{
    public long Least { get; init; }

    /// <summary>How many numbers a range has.</summary>
    public ulong Span { get; init; }
}
