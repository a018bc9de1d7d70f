namespace RedisLatency.Workloads.Commands;

/// <summary>A stretch of an encoded request: bytes that are always the same, or one argument that is not.</summary>
/// <param name="Encoded">The bytes as they are sent; empty for an argument that changes.</param>
/// <param name="Pieces">What an argument that changes is made of; empty otherwise.</param>
internal readonly record struct CommandSegment(byte[] Encoded, CommandPiece[] Pieces)
{
    /// <summary>Whether it is an argument with the operation's key in it, and nothing that is drawn.</summary>
    public bool HoldsKey { get; } = Pieces.Any(piece => piece.Part == CommandPart.Key)
        && Pieces.All(piece => piece.Part is CommandPart.Key or CommandPart.Literal);
}
