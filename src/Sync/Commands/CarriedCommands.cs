using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

// The target has the source's data: nothing else of what a source, a file or a function says is carried out there.
internal sealed class CarriedCommands(CommandTable table, SyncCounts counts)
{
    // The run is no worse without them.
    public const string NoData = "no write, message or script (as CONFIG, ACL, CLUSTER): not carried out at the target";

    private readonly int _takesFromList = table.Find("RPOPLPUSH")!.Number;
    private readonly CommandFrames _frames = new();
    private readonly RespWriter _request = new();

    /// <exception cref="RedisServerException">The target would lack something without it.</exception>
    public bool LeavesOut(SyncBatch batch, in SyncEntry entry)
    {
        var fate = entry.Kind == EntryKind.Command ? table.All[entry.Command].Fate : CommandFate.CarriedOut;
        if (fate == CommandFate.CarriedOut)
            return false;
        var name = batch.Word(entry, 0);
        if (fate == CommandFate.Refused)
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
        _request.Clear();
        _request.WriteArrayHeader(3);
        _request.WriteBulkString("RPOPLPUSH"u8);
        _request.WriteBulkString(batch.Word(entry, 1));
        _request.WriteBulkString(batch.Word(entry, 2));
        entry = batch.Replace(entry, _request.Written, _frames);
        entry.Command = _takesFromList;
    }
}

internal static class CommandFates
{
    // They wait at the target, write to another server, or undo what frames them. No source sends them: it passes on
    // what came of them. BRPOPLPUSH alone is passed on as it is, before Redis 5.
    private static readonly HashSet<string> Refused =
    [
        "BLMOVE", "BLMPOP", "BLPOP", "BRPOP", "BZMPOP", "BZPOPMAX", "BZPOPMIN", "DISCARD", "MIGRATE", "XREADGROUP",
    ];

    // What a module passes on may be data whatever its flags say; before Redis 7 the name alone tells a module's.
    public static CommandFate Of(string name, IReadOnlyCollection<string> flags) =>
        Refused.Contains(name) ? CommandFate.Refused
        : flags.Contains("admin") ? CommandFate.LeftOut
        : flags.Contains("write") ? flags.Contains("blocking") ? CommandFate.Refused : CommandFate.CarriedOut
        : flags.Contains("module") || name.Contains('.', StringComparison.Ordinal) ? CommandFate.Refused
        : CommandFate.LeftOut;
}
