using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Delay.Apart.Announcing;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Places;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reading.Pushes;
using RedisLatency.Replication.Delay.Shards;

namespace RedisLatency.Replication.Delay.Apart.ReadingSide;

/// <summary>
/// Where the keys of each of a writer's shards are read: at a replica of the slot's primary where the reader's end is
/// the cluster that is written to, at the primary of another cluster, or at a server alone.
/// </summary>
internal sealed class ReadingPlaces
{
    private const int MostAdvised = 64;

    private readonly LoneEnd _end;
    private readonly EndFacts _facts;
    private readonly Announcement _announced;

    /// <summary>Finds them.</summary>
    /// <param name="end">The reader's end.</param>
    /// <param name="facts">What it says of itself.</param>
    /// <param name="announced">What the writer announced.</param>
    /// <param name="options">How keys are to be read, and how long the cluster is given to name a replica.</param>
    /// <exception cref="RunRefusedException">Not every shard can be measured.</exception>
    /// <exception cref="Redis.RedisException">The cluster cannot be asked.</exception>
    public ReadingPlaces(LoneEnd end, EndFacts facts, Announcement announced, IApartOptions options)
    {
        (_end, _facts, _announced) = (end, facts, announced);
        RequireAgreement(options.Reading);
        IsOneCluster = end.Map is not null
            && announced.Nodes.Intersect(ClusterNodeIds.Read(facts.Target), StringComparer.Ordinal).Any();
        Places = [.. announced.Shards.Select(PlaceOf)];
        foreach (var place in Places)
        {
            end.Require(place, options.LinkTimeout);
            if (place.IsReplica)
                RoleCheck.RequireAnswer(place.Require());
        }

        RequireAllShards();
        Reading = PushChoice.Decide(
            options.Reading, [.. Places.Select(place => place.Require())], announced.Shards[0].Prefix);
        Servers = [.. Places.Select(place => EndFacts.Look(facts.Option, place.Require()))];
    }

    /// <summary>Whether it is the cluster that is written to.</summary>
    public bool IsOneCluster { get; }

    /// <summary>The places, in the order of the writer's shards.</summary>
    public IReadOnlyList<IServerPlace> Places { get; }

    /// <summary>How they are read.</summary>
    public ReadingKind Reading { get; }

    /// <summary>What the server at each of them says of itself.</summary>
    public IReadOnlyList<EndFacts> Servers { get; }

    private void RequireAgreement(ReadingKind wanted)
    {
        if (_announced.IsPublished != (wanted == ReadingKind.Publish))
        {
            throw new RunRefusedException(_announced.IsPublished
                ? $"The writer of {_announced.Source} publishes messages and writes no keys: give --reading publish."
                : $"--reading publish: the writer of {_announced.Source} writes keys. Give delay write --publish.");
        }

        if (_end.Map is not null)
            PushChoice.RequireKeys(wanted);
    }

    private IServerPlace PlaceOf(AnnouncedShard shard) => _end.Map is null
        ? _end.PlaceOf(shard.Prefix)
        : _end.PlaceOf(shard.Slot ?? throw Refusal("keys of no certain slots"), shard.Slots!, IsOneCluster);

    private void RequireAllShards()
    {
        if (_end.Map is not { } map)
            return;
        var read = _announced.Shards.Select(shard => map.ShardOf(shard.Slot!.Value)).Distinct().Count();
        if (read < map.Shards.Count)
            throw Refusal($"keys of {read} of its {map.Shards.Count} shards only");
    }

    private RunRefusedException Refusal(string what)
    {
        var map = _end.Map!;
        var enough = Enumerable.Range(1, MostAdvised).FirstOrDefault(parts => SharedSlots.Of(null, parts)
            .Select(slots => map.ShardOf(slots.Middle)).Distinct().Count() == map.Shards.Count);
        var advice = enough == 0 ? "--shards" : $"--shards {enough}";
        return new RunRefusedException(
            $"--destination {_facts.Target.Name} is a cluster, and the writer of {_announced.Source} writes {what}: give "
            + $"{WriterSearch.CommandOf(_announced.Kind)} {advice}.");
    }
}
