using System.Diagnostics;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Scan;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Verify;

/// <summary>One of the two ends: a server, or the servers of a cluster, and what they can be asked.</summary>
internal sealed class VerifiedEnd : IDisposable
{
    // What a server may lack.
    private static readonly string[] Times = ["PEXPIRETIME", "HPEXPIRETIME"];
    private static readonly string[] Members = ["HMGET", "SMISMEMBER", "ZMSCORE"];

    private static readonly TimeSpan BetweenOffsets = TimeSpan.FromMilliseconds(100);

    // A synchronisation that has written all says so once a second; one that has not repeats itself far less often.
    private static readonly TimeSpan Still = TimeSpan.FromSeconds(3);

    private readonly SlotMapSource? _map;
    private readonly Dictionary<string, EndNode> _nodes = [];
    private readonly TimeSpan _patience;
    private readonly CancellationToken _stop;
    private readonly HashSet<string> _known = [];
    private readonly SlotMap? _first;
    private readonly List<(RedisEndpoint Primary, OwnedSlots? Slots)> _slots = [];
    private SlotMap? _used;

    /// <exception cref="RedisException">It cannot be reached, or refuses.</exception>
    /// <exception cref="RunRefusedException">Slots of the cluster are nobody's.</exception>
    public VerifiedEnd(string word, TargetServer server, TimeSpan patience, CancellationToken stop)
    {
        (Word, Server, _patience, _stop) = (word, server, patience, stop);
        _map = server.IsCluster ? server.OpenMap() : null;
        _first = _used = _map?.Current;
        foreach (var primary in _first?.Shards.Select(shard => shard.Primary.Endpoint) ?? [])
            _slots.Add((primary, AskSlots(primary)));
        using var control = server.Target.OpenControl();
        foreach (var command in Times.Concat(Members))
        {
            if (control.Request(RespLimits.List, "COMMAND", "INFO", command) is { IsError: false, Items: [var one] }
                && one.Items.Count > 0)
            {
                _known.Add(command);
            }
        }
    }

    /// <summary>source or destination.</summary>
    public string Word { get; }

    public TargetServer Server { get; }

    public bool Knows(string command) => _known.Contains(command);

    /// <summary>Those that are scanned, one for each shard.</summary>
    public IReadOnlyList<EndNode> Scanned => _map is null
        ? [NodeAt(Server.Target)]
        : [.. _first!.Shards.Select(NodeAt)];

    public IReadOnlyCollection<EndNode> Nodes => _nodes.Values;

    /// <summary>
    /// Whether primaries may have other slots now than when it began, or say nothing: keys may have passed by a scan.
    /// </summary>
    public bool HaveSlotsMoved() => _slots.Exists(
        one => !(one.Slots is { } before && AskSlots(one.Primary) is { } now && !now.HaveMovedSince(before)));

    public EndKey At(KeyName name) => new(this, name);

    /// <summary>The server of a key; null where nobody serves its slot.</summary>
    public EndNode? NodeOf(ReadOnlySpan<byte> key) => _used is null ? NodeAt(Server.Target)
        : _used.ShardOf(KeySlot.Of(key)) is { } shard ? NodeAt(shard)
        : null;

    /// <summary>
    /// The server that MOVED or ASK names; null where it names none. After MOVED the next round has a new map.
    /// </summary>
    public EndNode? NamedBy(string refusal, EndNode by)
    {
        if (_map is null || !Redirection.TryParse(Encoding.UTF8.GetBytes(refusal), out var redirection)
            || _map.Nodes.FirstOrDefault(node => node.Endpoint.Address == by.Target.Endpoint.Address) is not { } asked)
        {
            return null;
        }

        if (redirection.Kind == ErrorKind.Moved)
            _map.Doubt(_map.Current, asked);
        return NodeAt(_map.NodeOf(redirection, asked).Endpoint);
    }

    /// <summary>Takes the newest map; between rounds only.</summary>
    public void BeginRound() => _used = _map?.Current;

    /// <summary>
    /// Waits until every replica has said that it has what there is now, and a synchronisation, which reads as one and
    /// never acknowledges a PING, says nothing new. Where none reads from here, there is nothing to wait for.
    /// </summary>
    /// <returns>How many bytes one of them was behind at the limit; 0 where none was.</returns>
    public long AwaitReplicas(IStopToken stop)
    {
        var behind = 0L;
        foreach (var node in Scanned)
        {
            using var control = node.Target.OpenControl();
            var wanted = OffsetsOf(control).Own;
            var began = Stopwatch.GetTimestamp();
            var (said, saidAt) = (long.MinValue, began);
            long left;
            while (true)
            {
                var offsets = OffsetsOf(control);
                if (offsets.OfPrograms != said || offsets.SilentSeconds > 1)
                    (said, saidAt) = (offsets.OfPrograms, Stopwatch.GetTimestamp());
                // It stays a byte behind at least, so that it is not elected; no command is that short.
                var isStill = wanted - offsets.OfPrograms <= 1 || Stopwatch.GetElapsedTime(saidAt) >= Still;
                left = wanted - (isStill ? offsets.OfServers : Math.Min(offsets.OfServers, offsets.OfPrograms));
                if (left <= 0 || Stopwatch.GetElapsedTime(began) >= _patience
                    || stop.WaitUntilRequested(BetweenOffsets))
                {
                    break;
                }
            }

            behind = Math.Max(behind, left);
        }

        return behind;
    }

    public void Dispose()
    {
        foreach (var node in _nodes.Values)
            node.Dispose();
        _map?.Dispose();
    }

    private OwnedSlots? AskSlots(RedisEndpoint primary) => OwnedSlots.Ask(primary, Server.Target.Connection);

    // The least of servers, and of what has no port to be asked at, as a synchronisation; of that, since when it has
    // acknowledged nothing.
    private static (long Own, long OfServers, long OfPrograms, long SilentSeconds) OffsetsOf(RedisConnection control)
    {
        var facts = ServerFacts.FieldsOf(control.Request("INFO", "replication").Text);
        var own = Number(facts.GetValueOrDefault("master_repl_offset"));
        var replicas = facts.Where(fact => fact.Key.StartsWith("slave", StringComparison.Ordinal)
                && fact.Value.Contains("state=online", StringComparison.Ordinal))
            .ToLookup(
                fact => fact.Value.Contains("port=0,", StringComparison.Ordinal),
                fact => (Offset: Word(fact.Value, "offset="), Lag: Word(fact.Value, "lag=")));
        return (
            own, replicas[false].Select(one => one.Offset).DefaultIfEmpty(own).Min(),
            replicas[true].Select(one => one.Offset).DefaultIfEmpty(own).Min(),
            replicas[true].Select(one => one.Lag).DefaultIfEmpty().Max());

        static long Word(string replica, string name) => Number(replica.Split(',').FirstOrDefault(
            word => word.StartsWith(name, StringComparison.Ordinal))?[name.Length..]);
    }

    private static long Number(string? text) => long.TryParse(text, out var number) ? number : 0;

    private EndNode NodeAt(ClusterShard shard) => NodeAt(shard.Primary.Endpoint);

    private EndNode NodeAt(RedisEndpoint endpoint) => NodeAt(Server.Target with { Endpoint = endpoint });

    private EndNode NodeAt(ResolvedTarget target)
    {
        if (!_nodes.TryGetValue(target.Name, out var node))
            _nodes.Add(target.Name, node = new EndNode(target, _patience, _stop));
        return node;
    }
}
