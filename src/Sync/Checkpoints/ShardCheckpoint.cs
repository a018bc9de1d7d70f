using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>
/// What one shard of a source writes to the target beside its data: its position at each primary, and the marks of the
/// commands that must not be carried out twice, each of which goes with them in one transaction. Keys of one group go
/// over one connection: in a cluster the keys of a slot, else those of the slots that have one remainder.
/// </summary>
internal sealed class ShardCheckpoint(
    string name, string plan, int groups, bool isCluster, IEnumerable<int> slots, Checkpoint? resumed)
{
    /// <summary>The group of what stands alone: all are marked.</summary>
    public const int AllGroups = -1;

    // A group's marks and its commands are in one order only while it stays with its connection.
    private readonly int _groups = resumed?.Head.Groups ?? groups;
    private readonly SortedSet<int> _slots = [.. slots];
    private readonly string _generation = resumed?.Head.Generation ?? Guid.NewGuid().ToString("N")[..12];
    private byte[] _head = [];
    private long _all = resumed?.All ?? StreamPosition.NoOffset;

    /// <summary>What a run before this one had reached.</summary>
    public Checkpoint? Resumed { get; } = resumed;

    public bool IsCluster => isCluster;

    /// <summary>What the source's shard is called there.</summary>
    public string Name => name;

    public string Generation => _generation;

    /// <summary>That of a slot; less than zero has none.</summary>
    public int GroupOf(int slot) => slot < 0 ? 0 : slot % _groups;

    /// <summary>Under the tags of which slots heads are written: at least one of each primary.</summary>
    public IReadOnlyCollection<int> SlotsOf(SlotMap? map)
    {
        if (!isCluster || map is null)
            return [0];
        foreach (var shard in map.Shards)
        {
            if (!_slots.Any(slot => map.ShardOf(slot) == shard))
                _slots.Add(shard.Ranges[0].First);
        }

        return _slots;
    }

    public void SetPosition(StreamPosition position) => _head = Encoding.ASCII.GetBytes(
        new CheckpointHead(_generation, position, _groups, plan).ToString());

    /// <summary>From now on a head says that all groups are marked.</summary>
    public void MarkAll(long offset) => _all = offset;

    /// <summary>Writes the head of a slot's primary, as far as there is one.</summary>
    public void WriteHead(RespWriter requests, int slot)
    {
        var hasAll = isCluster && _all != StreamPosition.NoOffset;
        requests.WriteArrayHeader(2 + (_head.Length == 0 ? 0 : 2) + (hasAll ? 2 : 0));
        requests.WriteBulkString("HSET"u8);
        requests.WriteBulkString(KeyOf(slot));
        if (_head.Length > 0)
        {
            requests.WriteBulkString(name);
            requests.WriteBulkString(_head);
        }

        if (hasAll)
            WriteMarkField(requests, AllGroups, _all);
    }

    public void WriteRemoval(RespWriter requests, int slot) => requests.WriteRequest("HDEL", KeyOf(slot), name);

    /// <summary>
    /// Writes a mark. Outside a cluster the head goes with it, as what stands before it may have emptied all.
    /// </summary>
    public void WriteMark(RespWriter requests, int group, long offset)
    {
        var hasHead = !isCluster && _head.Length > 0;
        requests.WriteArrayHeader(hasHead ? 6 : 4);
        requests.WriteBulkString("HSET"u8);
        requests.WriteBulkString(KeyOf(group));
        if (hasHead)
        {
            requests.WriteBulkString(name);
            requests.WriteBulkString(_head);
        }

        WriteMarkField(requests, group, offset);
    }

    /// <summary>The key of a slot's head, and of a group's mark.</summary>
    public string KeyOf(int slot) => isCluster ? CheckpointKeys.OfSlot(slot) : CheckpointKeys.Name;

    public string FieldOf(int group) => CheckpointKeys.MarkOf(name, group);

    /// <summary>Whether a mark, as it was read, covers an offset.</summary>
    public bool Covers(string? mark, long offset) => OffsetOf(mark, _generation) >= offset;

    public static long OffsetOf(string? mark, string generation) =>
        mark?.Split(' ') is [var of, var number] && of == generation
            && long.TryParse(number, CultureInfo.InvariantCulture, out var offset) ? offset : StreamPosition.NoOffset;

    private void WriteMarkField(RespWriter requests, int group, long offset)
    {
        requests.WriteBulkString(FieldOf(group));
        requests.WriteBulkString(Encoding.ASCII.GetBytes(string.Create(
            CultureInfo.InvariantCulture, $"{_generation} {offset}")));
    }
}
