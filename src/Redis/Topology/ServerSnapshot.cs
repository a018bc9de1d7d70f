using System.Globalization;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// What a server said of itself at one time (INFO), as far as it tells what became of its keys. What it does not tell
/// (other servers, missing rights) is as if nothing had happened.
/// </summary>
public sealed record ServerSnapshot(IReadOnlyDictionary<string, string> Facts)
{
    public bool IsReplica => Fact("role") == "slave";

    public bool IsSyncing => Is("master_sync_in_progress") || Is("loading") || Is("async_loading");

    /// <summary>Asks for sections of INFO one by one: together only from Redis 7 on.</summary>
    /// <exception cref="RedisServerException">The server is busy for now: it loads, or runs a script.</exception>
    public static ServerSnapshot Of(RedisConnection control, params ReadOnlySpan<string> sections)
    {
        var facts = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var section in sections)
        {
            var reply = control.Request("INFO", section);
            if (reply.IsError && new RedisServerException(reply.Text) is { IsTransient: true } busy)
                throw busy;
            foreach (var (name, value) in reply.IsError ? [] : ServerFacts.FieldsOf(reply.Text))
                facts[name] = value;
        }

        return new ServerSnapshot(facts);
    }

    public string? Fact(string name) => Facts.GetValueOrDefault(name);

    // A replica that goes on with another primary where it was keeps the id of the old one as its second, as one does
    // that is promoted. The id of a primary changes with its first replica, and has no second then.
    public bool HasOtherHistory(ServerSnapshot before)
    {
        var id = before.Fact("master_replid");
        var isOther = Fact("master_replid") != id && Fact("master_replid2") != id;
        return isOther && (IsReplica || before.IsReplica || Fact("master_replid2")?.Trim('0').Length > 0);
    }

    public bool HasOtherDataSet(ServerSnapshot before) => before.IsSyncing || HasOtherHistory(before)
        || Fact("rdb_last_load_keys_loaded") != before.Fact("rdb_last_load_keys_loaded");

    // RESETSTAT itself is the first that is counted then, with the time that it took.
    public bool CountsAnewSince(ServerSnapshot before) =>
        Fact("cmdstat_config|resetstat") != before.Fact("cmdstat_config|resetstat")
        || before.Facts.Keys.Any(name => Count(name, "calls") < before.Count(name, "calls"));

    // Which of these commands it carried out.
    public string Risen(ServerSnapshot before, params IEnumerable<string> commands) => string.Join(
        ", ", commands.Where(command => Times(before, command) > 0).Select(command => command.ToUpperInvariant()));

    public long Times(ServerSnapshot before, string command) => Carried(command) - before.Carried(command);

    public long Number(string name) => Parse(Fact(name));

    private bool Is(string name) => Fact(name) == "1";

    private long Carried(string command) =>
        Count($"cmdstat_{command}", "calls") - Count($"cmdstat_{command}", "failed_calls");

    // cmdstat_flushdb:calls=1,usec=4,usec_per_call=4.00,rejected_calls=0,failed_calls=0
    private long Count(string fact, string name) => Parse(
        Fact(fact)?.Split(',').FirstOrDefault(one => one.StartsWith($"{name}=", StringComparison.Ordinal))?
            [(name.Length + 1)..]);

    private static long Parse(string? text) =>
        long.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
