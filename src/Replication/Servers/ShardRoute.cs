using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Servers;

/// <summary>
/// Where the keys of a slot are written and read now. Both change in one step, so that nobody writes to a server that
/// took over while somebody else still reads there what was never replicated. Thread safe.
/// </summary>
internal sealed class ShardRoute
{
    private readonly SlotServers _source;
    private readonly SlotServers _destination;
    private readonly int _slot;
    private readonly string _shard;
    private readonly SessionEvents _events;
    private readonly bool _reportsSource;
    private readonly Lock _gate = new();
    private volatile ShardServers _servers;

    public ShardRoute(
        SlotServers source, SlotServers destination, int slot, string shard, SessionEvents events,
        bool reportsSource = true)
    {
        (_source, _destination, _slot, _shard, _events) = (source, destination, slot, shard, events);
        _reportsSource = reportsSource;
        var map = source.Map;
        _servers = Find(map, IsOneCluster ? map : destination.Map, null);
    }

    public ShardServers Now
    {
        get
        {
            var known = _servers;
            return known.SourceMap == _source.Map && known.DestinationMap == _destination.Map ? known : Renew();
        }
    }

    public int Slot => _slot;

    private bool IsOneCluster => _destination.IsReplica;

    private ShardServers Renew()
    {
        lock (_gate)
        {
            var before = _servers;
            var (source, destination) = (_source.Map, _destination.Map);
            if (IsOneCluster)
                destination = source;
            if (before.SourceMap == source && before.DestinationMap == destination)
                return before;
            var after = Find(source, destination, before.Destination);
            Report(before, after);
            _servers = after;
            return after;
        }
    }

    private ShardServers Find(SlotMap? source, SlotMap? destination, ResolvedTarget? readBefore) => new(
        source, destination, _source.TargetOf(source, _slot, null),
        _destination.TargetOf(destination, _slot, readBefore));

    private void Report(ShardServers before, ShardServers after)
    {
        if (_reportsSource && before.Source != after.Source)
        {
            _events.Note(KindOf(before, after), after.Source is { } source
                ? $"{_shard}: written to {source.Name} now{Instead("to", before.Source)}"
                : $"{_shard}: no server has the slot of its keys any more");
        }

        if (before.Destination != after.Destination)
        {
            _events.Note("destination-changed", after.Destination is { } destination
                ? $"{_shard}: read from {destination.Name} now{Instead("from", before.Destination)}"
                : $"{_shard}: there is no server to read its keys from any more");
        }
    }

    private static string Instead(string preposition, ResolvedTarget? before) =>
        before is null ? string.Empty : $", and no longer {preposition} {before.Name}";

    private string KindOf(ShardServers before, ShardServers after)
    {
        if (before.SourceMap?.ShardOf(_slot) is not { } shard || after.SourceMap?.PrimaryOf(_slot) is not { } primary)
            return "source-changed";
        // A map lists only replicas that are fit to be read: the new primary may have been none at that moment.
        return shard.Replicas.Contains(primary)
            || after.SourceMap.ShardOf(_slot)?.Replicas.Contains(shard.Primary) is true ? "failover"
            : before.SourceMap.ShardWith(primary) is not null ? "slots-moved"
            : "source-changed";
    }
}

/// <summary>Source and destination of a shard at one moment, and the slot maps that say so.</summary>
internal sealed record ShardServers(
    SlotMap? SourceMap, SlotMap? DestinationMap, ResolvedTarget? Source, ResolvedTarget? Destination);

/// <summary>One end of a route: the server that has the shard there now.</summary>
internal sealed class ShardServer(
    string role, string shard, SlotServers end, ShardRoute route, Func<ShardServers, ResolvedTarget?> pick,
    string? label = null) : IServerLocator
{
    private ResolvedTarget? _last;

    public string Role => role;

    public string Label { get; } = $"{label ?? role} of {shard}";

    public bool IsReplica => end.IsReplica;

    public ResolvedTarget? Target
    {
        get
        {
            var now = pick(route.Now);
            _last = now ?? _last;
            return now;
        }
    }

    public string LastName => (Target ?? _last)?.Name ?? "no server";

    public ResolvedTarget Require() => Target ?? throw new RedisConnectException(
        ConnectFailure.Unreachable, $"{Label}: the cluster names no {(IsReplica ? "replica" : "primary")} of it");

    public ResolvedTarget? NamedBy(string error) => end.NamedBy(error, route.Slot);

    public void Doubt() => end.Doubt(route.Slot);

    public void Renew() => end.Renew(route.Slot);
}
