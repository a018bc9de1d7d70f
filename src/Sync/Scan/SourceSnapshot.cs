using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Scan;

// What a source said at one time of what neither SCAN nor its notifications tell.
internal sealed record SourceSnapshot(ServerSnapshot Server, string? Flags)
{
    public const string NeededFlags = "AE";
    private const string FlagsSetting = "notify-keyspace-events";

    private static readonly string[] Flushing = [.. RedisCommands.NamesOf(CommandFlags.Empties)];

    // Of groups (XDELEX of references alone, too), and of vector sets.
    private static readonly string[] Unnotified = [.. RedisCommands.NamesOf(CommandFlags.Unnotified)];

    // Null where it is not known. A server answers with A where it has all, also one before Redis 7 that has no d
    // (keys of modules).
    public bool? NotifiesOfAll => Flags is null ? null
        : Flags.Contains('E', StringComparison.Ordinal)
            && (Flags.Contains('A', StringComparison.Ordinal) || "dg$lshzxet".All(Flags.Contains));

    public static SourceSnapshot Of(RedisConnection control) => new(
        ServerSnapshot.Of(control, "server", "commandstats", "replication"), FlagsOf(control, out _));

    public static string? FlagsOf(RedisConnection control, out string? whyNot)
    {
        var reply = control.Request("CONFIG", "GET", FlagsSetting);
        whyNot = reply.IsError ? reply.Text : null;
        return reply.IsError ? null
            : reply.Find(FlagsSetting)?.Text ?? (reply.Items.Count > 1 ? reply.Items[1].Text : string.Empty);
    }

    // Whatever keys it had.
    public IEnumerable<string> ChangesSince(SourceSnapshot? before, bool isLast)
    {
        if (before is null)
            yield break;
        if (Server.Fact("run_id") != before.Server.Fact("run_id"))
            yield return "the source was started again, or another server took its place";
        if (Server.IsSyncing ? isLast : Server.HasOtherDataSet(before.Server) || HasBeenElsewhere(before))
            yield return "the source took another data set from its primary (a full resync)";
        if (Server.CountsAnewSince(before.Server))
        {
            yield return "the source counts its commands anew (CONFIG RESETSTAT or a restart), and FLUSHALL, FLUSHDB "
                + "or SWAPDB may have been among those before";
        }

        if (Server.Risen(before.Server, Flushing) is { Length: > 0 } flushes)
            yield return $"the source carried out {flushes}";
    }

    // Away from its primary and back between two snapshots: then it has the same id again, and often as many keys.
    private bool HasBeenElsewhere(SourceSnapshot before) =>
        Server.Times(before.Server, "replicaof") + Server.Times(before.Server, "slaveof") > 1;

    public IEnumerable<string> SilenceSince(SourceSnapshot? before, bool isLast)
    {
        // It is said again at the end, as what changed since then is missing.
        if (NotifiesOfAll == false && (isLast || before is not { NotifiesOfAll: false }))
        {
            yield return $"the source does not notify of all changes any more: its {FlagsSetting} is '{Flags}'; "
                + $"type there: CONFIG SET {FlagsSetting} {NeededFlags}";
        }

        if (before is null)
            yield break;
        if (NotifiesOfAll == true && before.NotifiesOfAll == false)
            yield return $"the source did not notify of all changes: its {FlagsSetting} was '{before.Flags}'";
        if (NotifiesOfAll is null && Server.Risen(before.Server, "config|set").Length > 0)
            yield return $"the source carried out CONFIG SET, and its {FlagsSetting} may not be asked for";
    }

    // Of which there are no notifications.
    public IEnumerable<string> UnnotifiedSince(SourceSnapshot before) =>
        Unnotified.Where(name => Server.Times(before.Server, name) > 0).Select(name => name.ToUpperInvariant());

    // Changed and set back between two snapshots, it is as if it had stayed.
    public bool MayHaveBeenSilentSince(SourceSnapshot? before) =>
        before is { NotifiesOfAll: true } && NotifiesOfAll == true && Server.Times(before.Server, "config|set") > 0;
}
