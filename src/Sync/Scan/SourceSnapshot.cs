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

    /// <summary>Commands of groups (XDELEX of references alone, too), and of vector sets.</summary>
    public static string Unnotified { get; } =
        string.Join(", ", RedisCommands.NamesOf(CommandFlags.Unnotified)).ToUpperInvariant();

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

    /// <summary>Why notifications may not have told of all changes since another look; null where they have.</summary>
    public string? MissedSince(SourceSnapshot? before, bool isLast) =>
        NotifiesOfAll == false
            ? $"it does not notify of all changes any more, its {FlagsSetting} is '{Flags}' (type there: CONFIG SET "
                + $"{FlagsSetting} {NeededFlags})"
        : before is null ? null
        : (Server.IsSyncing ? isLast : Server.HasOtherDataSet(before.Server) || HasBeenElsewhere(before))
            ? "it took another data set from its primary (a full resync)"
        : Server.CountsAnewSince(before.Server)
            ? "it counts its commands anew (CONFIG RESETSTAT), and FLUSHALL, FLUSHDB or SWAPDB may have been among "
                + "those before"
        : Server.Risen(before.Server, Flushing) is { Length: > 0 } flushes ? $"it carried out {flushes}"
        : NotifiesOfAll is null && Server.Risen(before.Server, "config|set").Length > 0
            ? $"it carried out CONFIG SET, and its {FlagsSetting} may not be asked for"
        : null;

    // Off and on again between two looks is as if they had stayed on, and nobody tells which setting was set.
    public bool MayHaveBeenSilentSince(SourceSnapshot? before) =>
        before is { NotifiesOfAll: true } && NotifiesOfAll == true && Server.Times(before.Server, "config|set") > 0;

    // Away from its primary and back between two looks: then it has the same id again, and often as many keys.
    private bool HasBeenElsewhere(SourceSnapshot before) =>
        Server.Times(before.Server, "replicaof") + Server.Times(before.Server, "slaveof") > 1;
}
