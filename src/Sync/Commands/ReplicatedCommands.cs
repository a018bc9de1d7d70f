using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

// The target has the source's data: nothing else of what a source, a file or a function says is carried out there.
internal sealed class ReplicatedCommands(CommandTable table, SyncCounts counts)
{
    // The run is no worse without them.
    public const string NoData = "no write, message or script (as CONFIG, ACL, CLUSTER): not carried out at the target";

    // As asked; the target's error stands behind it.
    public const string RefusedLibrary = "libraries of functions that the target refuses, as asked: ";

    private readonly int _takesFromList = table.Find("RPOPLPUSH")!.Number;

    /// <exception cref="RedisServerException">The target would lack something without it.</exception>
    public bool LeavesOut(SyncBatch batch, in SyncEntry entry)
    {
        var outcome = entry.Kind == EntryKind.Command ? table.All[entry.Command].Outcome : CommandOutcome.Applied;
        if (outcome == CommandOutcome.Applied)
            return false;
        var name = batch.Word(entry, 0);
        if (outcome == CommandOutcome.Refused)
        {
            throw new RedisServerException(
                $"ERR '{KeyText.Of(name)}' is not carried out",
                $"{KeyText.Of(name)} is not carried out at the target: it waits there, reaches another server, or its "
                    + "module does not call it a write. Block it (--block-command) if the target can do without it.");
        }

        counts.Skip(NoData, name);
        return true;
    }

    // BRPOPLPUSH, which waits where the target's list is empty, and the source's was not.
    public void DoNotWait(SyncBatch batch, ref SyncEntry entry)
    {
        if (entry.Kind != EntryKind.Command || table.All[entry.Command].Name != "BRPOPLPUSH" || entry.Words != 4)
            return;
        var request = batch.Make(3);
        request.WriteBulkString("RPOPLPUSH"u8);
        request.WriteBulkString(batch.Word(entry, 1));
        request.WriteBulkString(batch.Word(entry, 2));
        entry = batch.Replace(entry);
        entry.Command = _takesFromList;
    }
}

internal static class CommandOutcomes
{
    // What waits would wait at the target, and what is never propagated writes to another server or undoes what frames
    // it: a source passes on what came of them.
    public static CommandOutcome Of(RedisCommand command) =>
        command.Has(CommandFlags.Propagated) ? CommandOutcome.Applied
        : command.Has(CommandFlags.NeverPropagated) ? CommandOutcome.Refused
        : Of(command.Has(CommandFlags.Admin), command.Has(CommandFlags.Write), command.Has(CommandFlags.Blocking),
            isOfModule: false);

    // What a module passes on may be data whatever its flags say; before Redis 7 the name alone tells a module's.
    public static CommandOutcome Of(string name, IReadOnlyCollection<string> flags) =>
        Of(flags.Contains("admin"), flags.Contains("write"), flags.Contains("blocking"),
            flags.Contains("module") || name.Contains('.', StringComparison.Ordinal));

    private static CommandOutcome Of(bool isAdmin, bool isWrite, bool isBlocking, bool isOfModule) =>
        isAdmin ? CommandOutcome.Skipped
        : isWrite ? isBlocking ? CommandOutcome.Refused : CommandOutcome.Applied
        : isOfModule ? CommandOutcome.Refused
        : CommandOutcome.Skipped;
}
