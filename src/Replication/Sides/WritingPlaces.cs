using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

/// <summary>Where a writer writes: to every shard, or to every pair with the reader's that shares slots.</summary>
internal sealed class WritingPlaces : IDisposable
{
    private const string Role = "source";

    private readonly LoneEnd _end;

    private WritingPlaces(LoneEnd end, EndFacts facts, DelayOptions options)
    {
        _end = end;
        Nodes = end.Map is null ? [] : ClusterNodeIds.Read(facts.Target);
        if (end.Map is null && options.Shards is null)
        {
            Places = [end.PlaceOf(options.Prefix)];
            Shards = [new AnnouncedShard(options.Prefix, null, facts.Target.Name)];
            return;
        }

        ShardWays.RequireNoTag(options.Prefix);
        var slots = SharedSlots.Of(
            end.Map, options.Shards is { } told ? SlotSharing.Parse(told) : SlotSharing.Equal(1));
        Places = [.. slots.Select(one => end.PlaceOf(one.Middle, one.Name, isReplica: false))];
        foreach (var place in Places)
            end.Require(place, options.LinkTimeout);
        Shards =
        [
            .. slots.Zip(Places).Select(one => new AnnouncedShard(
                one.First.PrefixAfter(options.Prefix), one.First, one.Second.Require().Name)),
        ];
    }

    public IReadOnlyList<string> Nodes { get; }
    public IReadOnlyList<AnnouncedShard> Shards { get; }
    public IReadOnlyList<IServerPlace> Places { get; }

    public IReadOnlyList<(string Prefix, IServerPlace Place)> Streams =>
        [.. Shards.Zip(Places, (shard, place) => (shard.Prefix, place))];

    public static WritingPlaces Find(EndFacts facts, DelayOptions options, SessionEvents events)
    {
        var end = LoneEnd.Open(Role, facts, options.Prefix, events);
        try
        {
            return new WritingPlaces(end, facts, options);
        }
        catch
        {
            end.Dispose();
            throw;
        }
    }

    public IServerPlace PlaceOf(string key) => _end.PlaceOf(key);

    public void Dispose() => _end.Dispose();
}
