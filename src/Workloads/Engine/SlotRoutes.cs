using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Who serves which slot as one worker knows it: the newest map, and what MOVED has said of single slots since.
/// </summary>
internal sealed class SlotRoutes
{
    private const short AsInTheMap = -1;

    private readonly short[] _moved = new short[KeySlot.Count];
    private SlotMap? _map;
    private bool _hasMoved;

    public SlotRoutes() => Array.Fill(_moved, AsInTheMap);

    /// <summary>The newest map; there is one before anything is asked.</summary>
    public SlotMap Map => _map!;

    /// <summary>Whether one shard has all slots, so that no key decides anything.</summary>
    public bool HasOneShard { get; private set; }

    /// <summary>Takes a newer map; what MOVED had said is in it, or is said again.</summary>
    public void Take(SlotMap map)
    {
        _map = map;
        HasOneShard = map.Shards.Count == 1 && map.IsComplete;
        if (_hasMoved)
            Array.Fill(_moved, AsInTheMap);
        _hasMoved = false;
    }

    /// <summary>Takes up what MOVED says of one slot, until there is a newer map.</summary>
    public void Move(int slot, ClusterNode node)
    {
        _moved[slot] = (short)node.Number;
        _hasMoved = true;
        HasOneShard = false;
    }

    /// <summary>The number of a slot's primary; -1 where nobody serves it.</summary>
    public int PrimaryOf(int slot) =>
        _hasMoved && _moved[slot] != AsInTheMap ? _moved[slot] : _map!.PrimaryNumber(slot);

    /// <summary>The replicas of a slot; none where MOVED has just named another primary.</summary>
    public IReadOnlyList<ClusterNode> ReplicasOf(int slot) =>
        _hasMoved && _moved[slot] != AsInTheMap ? [] : _map!.ShardOf(slot)?.Replicas ?? [];
}
