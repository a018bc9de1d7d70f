namespace RedisLatency.Sync.Checkpoints;

/// <summary>A place in a source's stream where a replica can go on: behind a whole command or transaction.</summary>
/// <param name="ReplicationId">Whose stream it is; empty where the source has none.</param>
/// <param name="Offset">The offset of the last byte before it.</param>
/// <param name="Database">The database that is selected there.</param>
internal readonly record struct StreamPosition(string ReplicationId, long Offset, int Database)
{
    public const long NoOffset = -1;

    public static StreamPosition None { get; } = new(string.Empty, NoOffset, 0);

    public bool IsNone => Offset == NoOffset;
}
