namespace RedisLatency.Redis.Topology;

/// <summary>
/// Who serves which slot as one thread knows it: the newest map that it has taken, and what MOVED has said of single
/// slots since. Not thread safe; nothing is allocated where the servers are known.
/// </summary>
public sealed class SlotRoutes
{
    private const short AsInTheMap = -1;

    private readonly SlotMapSource _source;
    private readonly short[] _moved = new short[KeySlot.Count];
    private bool _hasMoved;

    /// <param name="source">Where maps come from; its newest is taken.</param>
    public SlotRoutes(SlotMapSource source)
    {
        _source = source;
        Array.Fill(_moved, AsInTheMap);
        Map = source.Current;
        Take(Map);
    }

    /// <summary>The map that was taken last.</summary>
    public SlotMap Map { get; private set; }

    /// <summary>Whether one shard has all slots, so that no key decides anything.</summary>
    public bool HasOneShard { get; private set; }

    /// <summary>Takes a newer map, if there is one; what MOVED had said is in it, or is said again.</summary>
    public bool TryTakeNewer()
    {
        if (ReferenceEquals(Map, _source.Current))
            return false;
        Take(_source.Current);
        return true;
    }

    /// <summary>The number of a slot's primary; -1 where nobody serves it.</summary>
    /// <param name="slot">From 0 to 16383.</param>
    public int PrimaryOf(int slot) => _hasMoved && _moved[slot] != AsInTheMap ? _moved[slot] : Map.PrimaryNumber(slot);

    /// <summary>The replicas of a slot; none where MOVED has just named another primary.</summary>
    /// <param name="slot">From 0 to 16383.</param>
    public IReadOnlyList<ClusterNode> ReplicasOf(int slot) =>
        _hasMoved && _moved[slot] != AsInTheMap ? [] : Map.ShardOf(slot)?.Replicas ?? [];

    /// <summary>
    /// Follows a redirection. A slot that has moved is routed to its new server from now on, while a newer map is asked
    /// for; one that is being migrated (ASK) is not.
    /// </summary>
    /// <param name="redirection">What the server said.</param>
    /// <param name="asked">The server that said so.</param>
    /// <returns>The server that it names, which may be in no map yet.</returns>
    public ClusterNode Follow(in Redirection redirection, ClusterNode asked)
    {
        var named = _source.NodeOf(redirection, asked);
        if (redirection.Kind == ErrorKind.Moved)
        {
            _moved[redirection.Slot] = (short)named.Number;
            _hasMoved = true;
            HasOneShard = false;
            Doubt(asked);
        }

        return named;
    }

    /// <summary>Says that the map is wrong, as <see cref="SlotMapSource.Doubt"/> does.</summary>
    /// <param name="witness">The server that said so, or null.</param>
    public void Doubt(ClusterNode? witness = null) => _source.Doubt(Map, witness);

    private void Take(SlotMap map)
    {
        Map = map;
        HasOneShard = map.Shards.Count == 1 && map.IsComplete;
        if (_hasMoved)
            Array.Fill(_moved, AsInTheMap);
        _hasMoved = false;
    }
}
