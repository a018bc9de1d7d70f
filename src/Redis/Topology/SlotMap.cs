namespace RedisLatency.Redis.Topology;

/// <summary>
/// Who served which slot when a node was asked. It never changes: a <see cref="SlotMapSource"/> makes a new one.
/// </summary>
public sealed class SlotMap
{
    private const short Nobody = -1;

    private readonly short[] _shards = new short[KeySlot.Count];
    private readonly short[] _primaries = new short[KeySlot.Count];

    internal SlotMap(long version, IReadOnlyList<ClusterShard> shards)
    {
        Version = version;
        Shards = shards;
        Array.Fill(_shards, Nobody);
        Array.Fill(_primaries, Nobody);
        for (var number = 0; number < shards.Count; number++)
        {
            foreach (var range in shards[number].Ranges)
                Claim(range, (short)number);
        }

        Missing = [.. SlotRange.By(slot => _shards[slot]).Where(one => one.Key == Nobody).SelectMany(one => one.Value)];
    }

    /// <summary>Counts the maps of one source.</summary>
    public long Version { get; }

    /// <summary>The shards that serve slots, by their first slot.</summary>
    public IReadOnlyList<ClusterShard> Shards { get; }

    /// <summary>The slots that nobody serves.</summary>
    public IReadOnlyList<SlotRange> Missing { get; }

    /// <summary>The lasting ids of all servers, as far as they are known.</summary>
    public IReadOnlyList<string> NodeIds =>
    [
        .. Shards.SelectMany(shard => shard.Replicas.Prepend(shard.Primary)).Select(node => node.Id)
            .Where(id => id.Length > 0),
    ];

    /// <summary>Whether every slot is served.</summary>
    public bool IsComplete => Missing.Count == 0;

    /// <summary>The <see cref="ClusterNode.Number"/> of the primary of a slot; -1 where nobody serves it.</summary>
    /// <param name="slot">From 0 to 16383.</param>
    public int PrimaryNumber(int slot) => _primaries[slot];

    /// <summary>The shard of a slot, or null where nobody serves it.</summary>
    /// <param name="slot">From 0 to 16383.</param>
    public ClusterShard? ShardOf(int slot) => _shards[slot] == Nobody ? null : Shards[_shards[slot]];

    /// <summary>The primary of a slot, or null where nobody serves it.</summary>
    /// <param name="slot">From 0 to 16383.</param>
    public ClusterNode? PrimaryOf(int slot) => ShardOf(slot)?.Primary;

    /// <summary>The shard that a server is the primary or a replica of, or null.</summary>
    public ClusterShard? ShardWith(ClusterNode node) =>
        Shards.FirstOrDefault(shard => shard.Primary == node || shard.Replicas.Contains(node));

    /// <summary>One line per shard, for people.</summary>
    public override string ToString() => string.Join('\n', Shards.Select(shard =>
        $"{string.Join(' ', shard.Ranges)}: {string.Join(", ", shard.Replicas.Prepend(shard.Primary))}"));

    private void Claim(SlotRange range, short number)
    {
        for (var slot = range.First; slot <= range.Last; slot++)
        {
            if (_shards[slot] != Nobody && _shards[slot] != number)
            {
                throw new RedisProtocolException(
                    $"slot {slot} is claimed by {Shards[_shards[slot]].Primary} and by {Shards[number].Primary}");
            }

            _shards[slot] = number;
            _primaries[slot] = (short)Shards[number].Primary.Number;
        }
    }
}
