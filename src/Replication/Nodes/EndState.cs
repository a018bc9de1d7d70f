using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Nodes;

/// <summary>What a server says of its part in a replication; what it does not say is empty or zero.</summary>
internal sealed record EndState
{
    private static readonly string[] Sections = ["server", "replication", "stats", "commandstats"];

    public string RunId { get; init; } = string.Empty;
    public string Role { get; init; } = string.Empty;
    public string Primary { get; init; } = string.Empty;
    public string Link { get; init; } = string.Empty;
    public bool IsReceivingCopy { get; init; }
    public long FullResyncs { get; init; }
    public long PartialResyncs { get; init; }
    public long Flushes { get; init; }
    public long Evictions { get; init; }
    public long? ReadingMicroseconds { get; init; }

    public static (EndState? State, string? Refusal) Read(RedisConnection connection)
    {
        var fields = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var section in Sections)
        {
            var reply = connection.Request(RespLimits.List, "INFO", section);
            if (reply.IsError)
                return (null, reply.Text);
            Add(reply.Text, fields);
        }

        return (Of(fields), null);
    }

    public static EndState Of(IReadOnlyDictionary<string, string> fields)
    {
        return new EndState
        {
            RunId = Text("run_id"),
            Role = Text("role"),
            Primary = fields.ContainsKey("master_host") ? $"{Text("master_host")}:{Text("master_port")}" : string.Empty,
            Link = Text("master_link_status"),
            IsReceivingCopy = Text("master_sync_in_progress") == "1",
            FullResyncs = Number(Text("sync_full")),
            PartialResyncs = Number(Text("sync_partial_ok")),
            Flushes = Calls("cmdstat_flushall") + Calls("cmdstat_flushdb"),
            Evictions = Number(Text("evicted_keys")),
            ReadingMicroseconds = Microseconds("cmdstat_mget") + (Microseconds("cmdstat_get") ?? 0),
        };

        string Text(string name) => fields.GetValueOrDefault(name) ?? string.Empty;

        long? Microseconds(string name) => Text(name).Split(',') is [_, var took, ..]
            ? Number(took.Replace("usec=", string.Empty, StringComparison.Ordinal))
            : null;

        long Calls(string name) =>
            Number(Text(name).Split(',')[0].Replace("calls=", string.Empty, StringComparison.Ordinal));
    }

    public static void Add(string info, Dictionary<string, string> fields)
    {
        foreach (var line in info.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (!line.StartsWith('#') && line.IndexOf(':', StringComparison.Ordinal) is var colon and > 0)
                fields[line[..colon]] = line[(colon + 1)..];
        }
    }

    private static long Number(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}

internal static class EndChanges
{
    public static IEnumerable<(string Kind, string Text)> Between(string end, EndState before, EndState after)
    {
        // Counters begin anew with the server.
        var isSame = before.RunId == after.RunId;
        if (!isSame)
            yield return ("restarted", $"{end}: the server was restarted");
        foreach (var change in RoleChanges(end, before, after))
            yield return change;
        if (after.IsReceivingCopy && !before.IsReceivingCopy)
            yield return ("full-resync", $"{end}: receives a full copy");
        var from = isSame ? before : new EndState();
        if (after.FullResyncs > from.FullResyncs)
            yield return ("full-resync", $"{end}: began to send a full copy to a replica");
        if (after.PartialResyncs > from.PartialResyncs)
            yield return ("partial-resync", $"{end}: a replica went on where it had stopped");
        if (after.Flushes > from.Flushes)
            yield return ("flushed", $"{end}: was flushed");
        if (after.Evictions > from.Evictions)
            yield return ("evicted", $"{end}: evicted keys, because its memory is full");
    }

    private static IEnumerable<(string Kind, string Text)> RoleChanges(string end, EndState before, EndState after)
    {
        if (before.Role != after.Role)
        {
            yield return after.Primary.Length == 0
                ? ("promoted", $"{end}: is a primary now, and replicates nobody")
                : ("failover", $"{end}: is a replica of {after.Primary} now");
            yield break;
        }

        if (before.Primary != after.Primary)
            yield return ("failover", $"{end}: replicates {after.Primary} now, and no longer {before.Primary}");
        if (before.Link != after.Link && after.Link.Length > 0)
        {
            yield return after.Link == "up"
                ? ("link-up", $"{end}: its link to {after.Primary} is up")
                : ("link-down", $"{end}: its link to {after.Primary} is down");
        }
    }
}
