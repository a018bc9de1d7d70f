using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>Where shards are read: at a replica of the same cluster, another's primary, or a lone server.</summary>
internal sealed class DestinationServers
{
    private readonly ReachedNodes _end;
    private readonly SlotMap? _map;
    private readonly NodeFacts _facts;
    private readonly WriterAnnouncement _announced;
    private readonly IReadOnlyList<NodeFacts> _known;

    public DestinationServers(ReachedNodes end, NodeFacts facts, WriterAnnouncement announced, DelayOptions options)
    {
        end.RequireAllSlots();
        (_end, _map, _facts, _announced) = (end, end.Map, facts, announced);
        IsOneCluster = _map is not null && announced.Nodes.Intersect(_map.NodeIds, StringComparer.Ordinal).Any();
        Servers = [.. announced.Shards.Select(ServerOf)];
        foreach (var server in Servers)
        {
            end.Require(server, options.LinkTimeout);
            if (server.IsReplica)
                RoleCheck.RequireAnswer(server.Require());
        }

        RequireAllShards();
        Notes = IsOneCluster ? [DelayVerdict.OneCluster] : MissingPairs() is { } missing ? [missing] : [];
        _known = [.. Servers.Select(server => NodeFacts.Read(facts.Option, server.Require()))];
    }

    public bool IsOneCluster { get; }
    public IReadOnlyList<IServerLocator> Servers { get; }
    public IReadOnlyList<string> Notes { get; }

    // Whose streams are compared, where the source is reached from here. Where another server than that is the one
    // through which clocks are compared, its stream is another too, and there is no lag.
    public IEnumerable<(IServerLocator Source, IServerLocator Destination)> PairsWith(ResolvedTarget? control) =>
        control is not null && _announced.Shards is [{ Slots: null }]
            ? [(new FixedServer("control", control), Servers[0])]
            : [];

    public IReadOnlyList<MeasuredTarget> ToRecord(Func<int, RedisPipeline> pipelineTo) =>
        NodeFacts.ToRecord(_known, Servers, pipelineTo);

    private IServerLocator ServerOf(AnnouncedShard shard) => _map is null
        ? _end.LocatorOf(shard.Prefix)
        : _end.LocatorOf(shard.Slot ?? throw Refusal("keys of no certain slots"), shard.Slots!, IsOneCluster);

    private void RequireAllShards()
    {
        if (_map is not { } map)
            return;
        var read = _announced.Shards.Select(shard => map.ShardOf(shard.Slot!.Value)).Distinct().Count();
        if (read < map.Shards.Count)
            throw Refusal($"keys of {read} of its {map.Shards.Count} shards only");
    }

    private string? MissingPairs()
    {
        if (_map is not { } map)
            return null;
        var sources = SourcesOfSlots();
        var shared = PairsOf(map, sources, Enumerable.Range(0, KeySlot.Count));
        var read = PairsOf(map, sources, _announced.Shards.Select(shard => shard.Slot!.Value));
        return shared.Except(read).FirstOrDefault() is not { From: not null } missing
            ? null
            : $"Of {shared.Count} pairs of shards that share slots {read.Count} have keys, and others none, such as "
                + $"{missing.From} to {missing.To.Primary.Endpoint.Address}: {Advice(map)} for all.";
    }

    private RunRefusedException Refusal(string what) => new(
        $"--destination {_facts.Target.Name} is a cluster, and the writer of {_announced.Source} writes {what}: "
        + $"{Advice(_map!)}.");

    // The fewest ranges by which every pair of shards has keys.
    private string Advice(SlotMap map)
    {
        var sources = SourcesOfSlots();
        var pairs = PairsOf(map, sources, Enumerable.Range(0, KeySlot.Count)).Count;
        var ranges = Enumerable.Range(1, SharedSlots.MostRanges).FirstOrDefault(ranges => PairsOf(
            map, sources, SharedSlots.Of(slot => (sources[slot], SharedSlots.RangeOf(slot, ranges)))
                .Select(slots => slots.Middle)).Count == pairs);
        return ranges == 0
            ? "run delay with --source and --destination"
            : FormattableString.Invariant($"give {WriterSearch.CommandOf(_announced.IsContinuous)} --shards {ranges}");
    }

    private string[] SourcesOfSlots()
    {
        var sources = new string[KeySlot.Count];
        Array.Fill(sources, _announced.Source);
        foreach (var shard in _announced.Shards)
        {
            foreach (var range in shard.Shared?.Ranges ?? [])
                Array.Fill(sources, shard.Source, range.First, range.Count);
        }

        return sources;
    }

    private static HashSet<(string From, ClusterShard To)> PairsOf(
        SlotMap map, string[] sources, IEnumerable<int> slots) =>
        [.. slots.Select(slot => (sources[slot], map.ShardOf(slot)!))];
}
