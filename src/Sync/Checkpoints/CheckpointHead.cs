using System.Globalization;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>What a target holds of one shard of a source, once for each of its own primaries.</summary>
/// <param name="Generation">Of which copy; marks of another one mean nothing.</param>
/// <param name="Position">Everything before it is at that primary.</param>
/// <param name="Groups">How many groups the keys are in by their slots; as many as slots in a cluster.</param>
/// <param name="Plan">What is carried over, as <see cref="SyncPlan.Digest"/> has it.</param>
internal sealed record CheckpointHead(
    string Generation, StreamPosition Position, int Groups, string Plan)
{
    /// <returns>Null where it is none.</returns>
    public static CheckpointHead? Parse(string text) =>
        text.Split(' ') is [var generation, var id, var offset, var database, var groups, var plan]
            && TryRead(offset, out var position) && TryRead(database, out var selected)
            && TryRead(groups, out var count) && count is >= 1 and <= int.MaxValue && selected <= int.MaxValue
            ? new CheckpointHead(generation, new StreamPosition(id, position, (int)selected), (int)count, plan)
            : null;

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Generation} {Position.ReplicationId} {Position.Offset} {Position.Database} {Groups} {Plan}");

    private static bool TryRead(string text, out long number) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
