using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Servers;

/// <summary>Watches a server, by counters where there are: what was over between two polls is seen too.</summary>
internal sealed class NodeWatcher : IDisposable
{
    private readonly IServerLocator _locator;
    private readonly SessionEvents _events;
    private readonly WatchConnection _connection;
    private readonly ReporterThread _thread;
    private NodeState? _last;
    private (NodeState State, long AtNs)? _first;
    private ResolvedTarget? _polledAt;

    public NodeWatcher(IServerLocator locator, TimeSpan interval, SessionEvents events)
    {
        (_locator, _events, _connection) = (locator, events, new WatchConnection(locator, events));
        // What happens from now on counts.
        Poll();
        _thread = new ReporterThread(interval, _ => Poll());
    }

    public string? Refusal { get; private set; }

    public IServerLocator Locator => _locator;

    // Which share of the server's time GET and MGET took while it was watched; null where it does not report it, or has
    // not been the same server.
    public double? ReadingShare { get; private set; }

    public void Dispose()
    {
        _thread.Dispose();
        Poll();
        _connection.Dispose();
    }

    private void NoteReading(NodeState state)
    {
        var now = MonotonicClock.NowNs();
        if (_first is not { } first || first.State.RunId != state.RunId)
            _first = (state, now);
        else
            ReadingShare = (state.ReadingMicroseconds - (first.State.ReadingMicroseconds ?? 0)) * 1e3
                / (now - first.AtNs);
    }

    private void Poll()
    {
        if (Refusal is not null)
            return;
        var (state, refusal) = _connection.TryUse(NodeState.Read);
        if (refusal is not null)
        {
            Refusal = refusal;
            _events.Note("unknown", $"{_locator.Label}: does not report its state: {refusal}");
        }

        if (state is null)
            return;
        if (_last is { } before && ReferenceEquals(_polledAt, _connection.Target))
        {
            foreach (var (kind, text) in NodeChanges.Between(_locator.Label, before, state))
                _events.Note(kind, text);
            if (before.Role != state.Role || before.Primary != state.Primary)
                _locator.Doubt();
        }

        NoteReading(state);
        (_last, _polledAt) = (state, _connection.Target);
    }
}

/// <summary>What a server says of its part in a replication; what it does not say is empty or zero.</summary>
internal sealed record NodeState
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

    public static (NodeState? State, string? Refusal) Read(RedisConnection connection)
    {
        var fields = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var section in Sections)
        {
            var reply = connection.Request(RespLimits.List, "INFO", section);
            if (reply.IsError)
                return (null, reply.Text);
            foreach (var (name, value) in ServerFacts.FieldsOf(reply.Text))
                fields[name] = value;
        }

        return (Of(fields), null);
    }

    public static NodeState Of(IReadOnlyDictionary<string, string> fields)
    {
        return new NodeState
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

    private static long Number(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}

/// <summary>Names what happened to a server between two states of it.</summary>
internal static class NodeChanges
{
    public static IEnumerable<(string Kind, string Text)> Between(string label, NodeState before, NodeState after)
    {
        // Counters begin anew with the server.
        var isSame = before.RunId == after.RunId;
        if (!isSame)
            yield return ("restarted", $"{label}: the server was restarted");
        foreach (var change in RoleChanges(label, before, after))
            yield return change;
        if (after.IsReceivingCopy && !before.IsReceivingCopy)
            yield return ("full-resync", $"{label}: receives a full copy");
        var from = isSame ? before : new NodeState();
        if (after.FullResyncs > from.FullResyncs)
            yield return ("full-resync", $"{label}: began to send a full copy to a replica");
        if (after.PartialResyncs > from.PartialResyncs)
            yield return ("partial-resync", $"{label}: a replica went on where it had stopped");
        if (after.Flushes > from.Flushes)
            yield return ("flushed", $"{label}: was flushed");
        if (after.Evictions > from.Evictions)
            yield return ("evicted", $"{label}: evicted keys, because its memory is full");
    }

    private static IEnumerable<(string Kind, string Text)> RoleChanges(string label, NodeState before, NodeState after)
    {
        if (before.Role != after.Role)
        {
            yield return after.Primary.Length == 0
                ? ("promoted", $"{label}: is a primary now, and no replica")
                : ("failover", $"{label}: is a replica of {after.Primary} now");
            yield break;
        }

        if (before.Primary != after.Primary)
            yield return ("failover", $"{label}: replicates {after.Primary} now, and no longer {before.Primary}");
        if (before.Link != after.Link && after.Link.Length > 0)
        {
            yield return after.Link == "up"
                ? ("link-up", $"{label}: its link to {after.Primary} is up")
                : ("link-down", $"{label}: its link to {after.Primary} is down");
        }
    }
}
