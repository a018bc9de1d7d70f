using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Commands;

// RESTORE among the commands of a source, which has carried it out: so the target has to take it as well.
internal sealed class StreamRestores(CommandTable table, RdbFormat? target)
{
    private const int PayloadWord = 3;

    private readonly int _asking = Find(table, "RESTORE-ASKING").Number;

    public CommandSpec Command { get; } = Find(table, "RESTORE");

    // A shard to which a slot moves is given its keys so, and the one that it comes from deletes them.
    public bool IsOfMovedSlot(in SyncEntry entry) => entry.Kind == EntryKind.Command && entry.Command == _asking;

    // By the older of both servers' versions.
    public void Process(SyncBatch batch, ref SyncEntry entry)
    {
        if (target is not { } format || entry.Kind != EntryKind.Command || entry.Words <= PayloadWord
            || (entry.Command != Command.Number && entry.Command != _asking)
            || !RestoreRequest.NeedsStamp(batch.Word(entry, PayloadWord), format))
        {
            return;
        }

        var request = batch.Make(entry.Words);
        for (var word = 0; word < entry.Words; word++)
        {
            if (word == PayloadWord)
                RestoreRequest.WritePayload(request, batch.Word(entry, word), format);
            else
                request.WriteBulkString(batch.Word(entry, word));
        }

        entry = batch.Replace(entry);
    }

    // Whether it restores a module's value.
    public bool IsOfModule(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Kind == EntryKind.Restore)
            return IsOfModule(batch.LongValueOf(entry)?.Type ?? batch.BytesOf(entry)[0]);
        return (entry.Command == Command.Number || entry.Command == _asking) && entry.Words > PayloadWord
            && batch.Word(entry, PayloadWord) is [var type, ..] && IsOfModule(type);
    }

    private static bool IsOfModule(byte type) => RdbType.KindOf(type, default) == RdbKind.Module;

    private static CommandSpec Find(CommandTable table, string name) =>
        table.All.First(command => command.Name == name);
}
