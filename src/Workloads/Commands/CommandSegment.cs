namespace RedisLatency.Workloads.Commands;

/// <summary>
/// A part of an encoded command: bytes that are always the same, or the pieces of one argument that changes.
/// </summary>
internal readonly record struct CommandSegment(byte[] Encoded, CommandPiece[] Pieces)
{
    public CommandSegment KeepingNumbers() => this with
    {
        Pieces =
        [
            .. Pieces.Select(piece => piece.Part == CommandPart.Number
                ? new CommandPiece(CommandPart.Literal, [.. CommandText.NumberPlaceholder])
                : piece),
        ],
    };
}
