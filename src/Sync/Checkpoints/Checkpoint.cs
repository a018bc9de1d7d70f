namespace RedisLatency.Sync.Checkpoints;

/// <summary>What a target has of one shard of a source: from where it goes on, and what is there beyond.</summary>
/// <param name="Head">That of the primary that is the furthest back.</param>
/// <param name="Marks">By group: the offset up to which a group's commands are at the target too.</param>
/// <param name="All">The same of all groups.</param>
internal sealed record Checkpoint(
    CheckpointHead Head, IReadOnlyDictionary<int, long> Marks, long All)
{
    private readonly long _last = Marks.Values.Append(All).Max();

    /// <summary>Whether the target has a command of the source already.</summary>
    /// <param name="slot">That of its keys; less than zero where they have none.</param>
    /// <param name="offset">Behind it; none where this program makes it itself.</param>
    public bool Covers(int slot, long offset) => offset != StreamPosition.NoOffset && offset <= _last && (offset <= All
        || offset <= Marks.GetValueOrDefault(slot < 0 ? 0 : slot % Head.Groups, StreamPosition.NoOffset));
}
