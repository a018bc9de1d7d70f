using System.Globalization;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Sources;

// What a server said of itself at one time, as far as it tells what became of its keys. What it does not tell (other
// servers, missing rights) is as if nothing had happened.
internal sealed record SourceLook(IReadOnlyDictionary<string, string> Facts, string? Flags)
{
    public const string NeededFlags = "AE";
    private const string FlagsSetting = "notify-keyspace-events";

    // Together only from Redis 7 on.
    private static readonly string[] Sections = ["commandstats", "replication", "persistence"];
    private static readonly string[] Flushing = ["flushall", "flushdb", "swapdb"];
    private static readonly string[] Moving = ["move", "rename", "renamenx"];

    // Null where it is not known.
    public bool? NotifiesOfAll => Flags is null ? null
        : Flags.Contains('E', StringComparison.Ordinal)
            && (Flags.Contains('A', StringComparison.Ordinal) || "g$lshzxet".All(Flags.Contains));

    private bool IsSyncing => Is("master_sync_in_progress") || Is("loading") || Is("async_loading");

    public static SourceLook Of(RedisConnection control, bool withFlags)
    {
        var facts = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var section in Sections)
        {
            var reply = control.Request("INFO", section);
            if (reply.IsError && new RedisServerException(reply.Text) is { IsTransient: true } busy)
                throw busy;
            foreach (var (name, value) in reply.IsError ? [] : ServerFacts.FieldsOf(reply.Text))
                facts[name] = value;
        }

        return new SourceLook(facts, withFlags ? FlagsOf(control, out _) : null);
    }

    public static string? FlagsOf(RedisConnection control, out string? whyNot)
    {
        var reply = control.Request("CONFIG", "GET", FlagsSetting);
        whyNot = reply.IsError ? reply.Text : null;
        return reply.IsError ? null
            : reply.Find(FlagsSetting)?.Text ?? (reply.Items.Count > 1 ? reply.Items[1].Text : string.Empty);
    }

    // Whatever keys it had.
    public IEnumerable<string> ChangesSince(SourceLook? before, bool isLast)
    {
        if (before is null)
            yield break;
        if (IsSyncing ? isLast : HasOtherDataSet(before))
            yield return "the source took another data set from its primary (a full resync)";
        if (CountsAnewSince(before))
        {
            yield return "the source counts its commands anew (CONFIG RESETSTAT or a restart), and FLUSHALL, FLUSHDB "
                + "or SWAPDB may have been among those before";
        }

        if (Risen(before, Flushing) is { Length: > 0 } flushes)
            yield return $"the source carried out {flushes}";
    }

    // Of which a scan that follows is notified.
    public IEnumerable<string> MovesSince(SourceLook? before)
    {
        if (before is not null && Risen(before, Moving) is { Length: > 0 } moves)
            yield return $"the source carried out {moves}, and what was moved may have been passed by";
    }

    public IEnumerable<string> SilenceSince(SourceLook? before, bool isLast)
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
        if (NotifiesOfAll is null && Risen(before, ["config|set"]).Length > 0)
            yield return $"the source carried out CONFIG SET, and its {FlagsSetting} may not be asked for";
    }

    // A replica that goes on with another primary where it was keeps the id of the old one as its second. The id of a
    // primary changes with its first replica.
    private bool HasOtherDataSet(SourceLook before)
    {
        var id = before.Fact("master_replid");
        var isOther = Fact("master_replid") != id && Fact("master_replid2") != id;
        return before.IsSyncing || (isOther && (Fact("role") == "slave" || before.Fact("role") == "slave"))
            || Fact("rdb_last_load_keys_loaded") != before.Fact("rdb_last_load_keys_loaded");
    }

    private bool Is(string name) => Fact(name) == "1";

    private string? Fact(string name) => Facts.GetValueOrDefault(name);

    private string Risen(SourceLook before, IEnumerable<string> commands) => string.Join(", ", commands
        .Where(command => Carried(command) > before.Carried(command)).Select(command => command.ToUpperInvariant()));

    // RESETSTAT itself is the first that is counted then, with the time that it took.
    private bool CountsAnewSince(SourceLook before) =>
        Fact("cmdstat_config|resetstat") != before.Fact("cmdstat_config|resetstat")
        || before.Facts.Keys.Any(name => Count(name, "calls") < before.Count(name, "calls"));

    private long Carried(string command) =>
        Count($"cmdstat_{command}", "calls") - Count($"cmdstat_{command}", "failed_calls");

    // cmdstat_flushdb:calls=1,usec=4,usec_per_call=4.00,rejected_calls=0,failed_calls=0
    private long Count(string fact, string name)
    {
        var count = Fact(fact)?.Split(',').FirstOrDefault(one => one.StartsWith($"{name}=", StringComparison.Ordinal));
        return long.TryParse(count?[(name.Length + 1)..], CultureInfo.InvariantCulture, out var number) ? number : 0;
    }
}
