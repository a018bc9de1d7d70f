using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Targets;

/// <summary>
/// Writes to a server, to the primary that Sentinels name, or to the primaries of a cluster, over some connections to
/// each.
/// </summary>
internal sealed class RedisWriter : ISyncWriter
{
    private readonly LaneRules _rules;
    private readonly int _connections;
    private readonly Lock _gate = new();
    private readonly Dictionary<(int Node, int Connection), TargetLane> _lanes = [];
    private readonly HashSet<int> _databases = [0];
    private readonly List<SyncCounts> _counts = [];
    private readonly List<ShardLanes> _shards = [];
    private readonly TargetWatch _watch;
    private readonly TargetServer _server;
    private readonly IStopToken? _emptying;
    private readonly Lock _beginning = new();
    private volatile bool _hasBegun;

    /// <param name="rules">What its connections keep to.</param>
    /// <param name="server">The target.</param>
    /// <param name="connections">How many, to each server of it.</param>
    /// <param name="fault">What ends the run.</param>
    /// <param name="emptying">Where the target is emptied first: what ends that.</param>
    public RedisWriter(
        LaneRules rules, TargetServer server, int connections, SyncFault fault, IStopToken? emptying = null)
    {
        (_server, _emptying) = (server, emptying);
        (_rules, _connections, Fault, Long) = (rules, connections, fault, new LongRequests(fault));
        _watch = new TargetWatch(rules);
        Restore = new RestoreRequest(
            server.Format, server.KnowsAbsoluteExpiry ? null : server.Clock, Replaces);
        Delete = rules.Table.Find("DEL")!.Number;
        Hash = rules.Table.Find("HSET")!.Number;
        if (rules.Map is null)
        {
            for (var i = 0; i < connections; i++)
                _lanes[(0, i)] = Open(new LaneServer(rules.Target.Endpoint, null), i);
        }
    }

    public string Name => _rules.Target.Name;

    public bool IsCluster => _rules.IsCluster;

    // Whether a run cannot go on from what the target was told.
    public bool IsCheckpointBroken => _rules.IsCheckpointBroken;

    public void BreakCheckpointAtEnd() => _rules.IsCheckpointBroken = true;

    /// <summary>Why the target may not have what it acknowledged, or not keep it; null where it does.</summary>
    public string? FindProblem(bool isLast = false) => _emptying is not null && !_hasBegun ? null
        : _rules.Replaced ?? _watch.FindProblem(() => _counts.Exists(one => one.Emptied + one.Scripts > 0), isLast);

    public string? Lost => _rules.Replaced ?? (Lanes.FirstOrDefault(lane => lane.IsAway && IsUsed(lane)) is { } away
        ? $"The target {away.Server} is not connected: what it had acknowledged and not saved may not be there."
        : null);

    // One whose slots others have by now may be gone.
    private bool IsUsed(TargetLane lane) =>
        _rules.Map?.Current.Shards.Any(shard => shard.Primary == lane.Server.Node) != false;

    public IReadOnlyList<WriterProgress> Places =>
    [
        .. Lanes.GroupBy(lane => lane.Server.ToString()).Select(lanes =>
        {
            var entries = lanes.Sum(lane => lane.Unanswered.Count);
            return new WriterProgress(
                new Dictionary<string, object>
                {
                    ["name"] = lanes.Key,
                    ["unanswered_bytes"] = lanes.Sum(lane => lane.Unanswered.Bytes),
                    ["unanswered_entries"] = entries,
                },
                entries,
                lanes.Select(lane => lane.OldestNs).Where(ns => ns > 0).DefaultIfEmpty(0).Min());
        }),
    ];

    public bool Replaces => _rules.OnExisting == ExistingKeys.Rewrite;

    // The number of DEL.
    public int Delete { get; }

    // That of HSET, which writes checkpoints.
    public int Hash { get; }

    public RestoreRequest Restore { get; }

    public SyncFault Fault { get; }

    public LongRequests Long { get; }

    public SlotMapSource? Map => _rules.Map;

    public bool HasOneLane => _rules.Map is null && _connections == 1;

    public IReadOnlyList<LatencyRecorder> OpenAll()
    {
        foreach (var shard in _rules.Map?.Current.Shards ?? [])
        {
            for (var i = 0; i < _connections; i++)
                LaneTo(shard.Primary, i);
        }

        return [.. Lanes.Select(lane => lane.Lag)];
    }

    // A source that turns out to be none costs the target nothing.
    public void Begin()
    {
        lock (_beginning)
        {
            if (!_hasBegun && _emptying is not null)
            {
                _server.Empty(_emptying);
                _watch.Begin();
            }

            _hasBegun = true;
        }
    }

    public void Complete(bool isWhole)
    {
        if (isWhole && _emptying is not null && !_hasBegun)
            _counts[0].Fault("The target was not emptied (--empty-destination), as nothing was read.");
        else if (FindProblem(isLast: true) is { } problem)
            throw new TargetLostException(problem);
    }

    private IReadOnlyList<TargetLane> Lanes
    {
        get
        {
            lock (_gate)
                return [.. _lanes.Values];
        }
    }

    public IShardWriter Open(SyncCounts counts)
    {
        _counts.Add(counts);
        _shards.Add(new ShardLanes(this, counts));
        return _shards[^1];
    }

    public TargetLane LaneOf(SlotMap? map, int slot)
    {
        var connection = _connections == 1 || slot < 0 ? 0 : slot % _connections;
        if (map is null)
            return _lanes[(0, connection)];
        // A slot that nobody serves: any server says so, until one does.
        return LaneTo(map.PrimaryOf(slot) ?? map.Shards[0].Primary, connection);
    }

    /// <summary>Where what has no keys goes: to every primary.</summary>
    public IEnumerable<TargetLane> LanesFor(SlotMap? map, int slot) =>
        map is null || slot != SyncEntry.NoSlot
            ? [LaneOf(map, 0)]
            : map.Shards.Select(shard => LaneTo(shard.Primary, 0));

    public void RequireDatabase(int database)
    {
        lock (_databases)
        {
            if (_databases.Contains(database))
                return;
            using var retry = Retry(new LaneServer(_rules.Target.Endpoint, null));
            retry.RequireDatabase(database);
            _databases.Add(database);
        }
    }

    // Whether the key is there, and shall stay; the run ends where none should be there.
    public bool MayNotReplace(SlotMap? map, in SyncEntry entry, ReadOnlySpan<byte> key)
    {
        if (Replaces)
            return false;
        using var retry = Retry(LaneOf(map, entry.Slot).Server);
        return retry.MayNotReplace(key, entry.Database, entry.Slot);
    }

    public bool IsRepeatable(SyncBatch batch, in SyncEntry entry) =>
        CommandEffects.IsRepeatable(_rules.Table.All[entry.Command].EffectOf(batch, entry));

    // Whether it does the same whatever its key holds by then: what came behind it may be there when it comes again.
    public bool MayComeTwice(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Kind == EntryKind.Restore)
            return true;
        var command = _rules.Table.All[entry.Command];
        return (command.HasOneKey || command.Has(CommandFlags.Splits)) && !command.Has(CommandFlags.Merges)
            && !command.IsScript
            && command.EffectOf(batch, entry) is CommandEffect.Replaces or CommandEffect.Keeps;
    }

    public bool IsLibrary(in SyncEntry entry) =>
        entry.Kind == EntryKind.Command && _rules.Table.All[entry.Command].IsLibrary;

    /// <exception cref="TargetLostException">Another took the place of one.</exception>
    public void RequireSameServers()
    {
        if (_rules.Replaced is { } replaced)
            throw new TargetLostException(replaced);
    }

    public bool NeedsKey(in SyncEntry entry) =>
        _rules.ExpectsKeys && _rules.Table.All[entry.Command].NeedsKey;

    public void FindKeys(SyncBatch batch, in SyncEntry entry, List<int> words) =>
        _rules.Table.All[entry.Command].FindKeys(batch, entry, words);

    // 0 where the command has no word but its name.
    public int NamingWord(in SyncEntry entry) =>
        Math.Min(_rules.Table.All[entry.Command].NamingWord, entry.Words - 1);

    /// <summary>
    /// Ends all lanes, each of which may find only then that its part of the checkpoint is not exact.
    /// </summary>
    public void End()
    {
        // Nobody waits any more for a server that is away.
        Fault.Set(new OperationCanceledException());
        foreach (var lane in Lanes)
            lane.End();
    }

    public void Dispose()
    {
        End();
        foreach (var lane in Lanes)
            lane.Dispose();
        if (_rules.IsCheckpointBroken)
            BreakCheckpoints();
        _rules.Map?.Dispose();
    }

    // A run that went on from them would leave out what was not carried out.
    private void BreakCheckpoints()
    {
        try
        {
            foreach (var checkpoint in _shards.Select(shard => shard.Checkpoint).OfType<ShardCheckpoint>())
                CheckpointStore.Break(_server, checkpoint.Name, checkpoint.Generation);
            _rules.Events.Note("checkpoint-broken", "What the target has is not exact: the next run begins anew.");
        }
        catch (RedisException problem)
        {
            _rules.Events.Note("checkpoint-kept", $"It is not exact, and the target was not told: {problem.Message}");
        }
    }

    private LaneRetry Retry(LaneServer server)
    {
        var missed = new MissedKeys(new RequestCommands(_rules.Table), _rules);
        return new LaneRetry(_rules, server, new LaneConnections(_rules, server, Fault), Fault, missed);
    }

    private TargetLane LaneTo(ClusterNode node, int connection)
    {
        lock (_gate)
        {
            if (!_lanes.TryGetValue((node.Number, connection), out var lane))
                _lanes[(node.Number, connection)] = lane = Open(new LaneServer(node.Endpoint, node), connection);
            return lane;
        }
    }

    private TargetLane Open(LaneServer place, int connection) =>
        new(_rules, place, Fault, $"target {place} {connection}");
}
