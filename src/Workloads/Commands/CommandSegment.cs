namespace RedisLatency.Workloads.Commands;

/// <summary>A stretch of an encoded request: bytes that are always the same, or one argument that is not.</summary>
/// <param name="Encoded">The bytes as they are sent; empty for an argument that changes.</param>
/// <param name="Pieces">What an argument that changes is made of; empty otherwise.</param>
internal readonly record struct CommandSegment(byte[] Encoded, CommandPiece[] Pieces)
{
    /// <summary>The only piece of most arguments: a key or a value.</summary>
    public bool IsSingle => Pieces.Length == 1;
}
