using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Commands;

// RESTORE among the commands of a source, which has carried it out: so the target has to take it as well.
internal sealed class StreamRestores(CommandTable table, RdbFormat? target, SyncCounts counts)
{
    private const int PayloadWord = 3;

    private readonly int _asking = Find(table, "RESTORE-ASKING").Number;

    public CommandSpec Command { get; } = Find(table, "RESTORE");

    // By the older of both servers' versions. A shard to which a slot moves was given its keys by RESTORE-ASKING, and
    // the target has them from the shard that it comes from, whose DEL may be behind or before it.
    public void Process(SyncBatch batch, ref SyncEntry entry)
    {
        if (entry.Kind != EntryKind.Command || (entry.Command != Command.Number && entry.Command != _asking)
            || entry.Words <= PayloadWord)
        {
            return;
        }

        counts.WasGivenKeys |= entry.Command == _asking;
        var adds = entry.Command == _asking
            && table.All[entry.Command].EffectOf(batch, entry) != CommandEffect.Replaces;
        var stamps = target is { } format && RestoreRequest.NeedsStamp(batch.Word(entry, PayloadWord), format);
        if (!adds && !stamps)
            return;
        var request = batch.Make(entry.Words + (adds ? 1 : 0));
        for (var word = 0; word < entry.Words; word++)
        {
            if (word == PayloadWord && target is { } known)
                RestoreRequest.WritePayload(request, batch.Word(entry, word), known);
            else
                request.WriteBulkString(batch.Word(entry, word));
        }

        if (adds)
            request.WriteBulkString("REPLACE"u8);
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
