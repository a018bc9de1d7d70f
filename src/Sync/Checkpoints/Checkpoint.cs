namespace RedisLatency.Sync.Checkpoints;

/// <summary>What a target says of one shard of a source: from where it goes on, and what is there beyond.</summary>
/// <param name="Generation">Of which copy; marks of another one mean nothing.</param>
/// <param name="Position">Everything before it is at the target.</param>
/// <param name="Groups">How many groups the keys were in by their slots; as many as slots in a cluster.</param>
/// <param name="Marks">By group: the offset up to which a group's commands are at the target too.</param>
/// <param name="All">The same of all groups.</param>
internal sealed record Checkpoint(
    string Generation, StreamPosition Position, int Groups, IReadOnlyDictionary<int, long> Marks, long All)
{
    private readonly long _last = Marks.Values.Append(All).Max();

    /// <summary>Whether the target has a command of the source already.</summary>
    /// <param name="slot">That of its keys; less than zero where they have none.</param>
    /// <param name="offset">Behind it.</param>
    public bool Covers(int slot, long offset) => offset <= _last
        && (offset <= All || offset <= Marks.GetValueOrDefault(slot < 0 ? 0 : slot % Groups, StreamPosition.NoOffset));
}
