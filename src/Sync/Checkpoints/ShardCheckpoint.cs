using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>
/// What one shard of a source writes to the target beside its data: its position, and the marks of the commands that
/// must not be carried out twice, each of which goes with them in one transaction. Keys of one group go over one
/// connection: in a cluster the keys of a slot, else those of the slots that have one remainder.
/// </summary>
internal sealed class ShardCheckpoint(string name, int groups, bool isCluster, Checkpoint? resumed)
{
    /// <summary>The group of what stands alone: all are marked.</summary>
    public const int AllGroups = -1;

    // A group's marks and its commands are in one order only while it stays with its connection.
    private readonly int _groups = resumed?.Groups ?? groups;
    private string _generation = resumed?.Generation ?? NewGeneration();
    private byte[] _position = [];

    /// <summary>What a run before this one had reached.</summary>
    public Checkpoint? Resumed { get; private set; } = resumed;

    public bool IsCluster => isCluster;

    /// <summary>What the source's shard is called there.</summary>
    public string Name => name;

    /// <summary>That of a slot; less than zero has none.</summary>
    public int GroupOf(int slot) => slot < 0 ? 0 : slot % _groups;

    /// <summary>What was there is no longer: a data set is read anew.</summary>
    public void Renew() => (_generation, _position, Resumed) = (NewGeneration(), [], null);

    public void SetPosition(StreamPosition position) => _position = Encoding.ASCII.GetBytes(string.Create(
        CultureInfo.InvariantCulture,
        $"{_generation} {position.ReplicationId} {position.Offset} {position.Database} {_groups}"));

    public void WritePosition(RespWriter requests) => WriteHash(requests, CheckpointKeys.Name, name, _position);

    public void WriteRemoval(RespWriter requests) => requests.WriteRequest("HDEL", CheckpointKeys.Name, name);

    /// <summary>
    /// Writes a mark. Outside a cluster the position goes with it, as what stands before it may have emptied all.
    /// </summary>
    public void WriteMark(RespWriter requests, int group, long offset)
    {
        var mark = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{_generation} {offset}"));
        if (isCluster || _position.Length == 0)
            WriteHash(requests, KeyOf(group), FieldOf(group), mark);
        else
            WriteHash(requests, CheckpointKeys.Name, name, _position, FieldOf(group), mark);
    }

    public string KeyOf(int group) =>
        isCluster && group != AllGroups ? CheckpointKeys.OfSlot(group) : CheckpointKeys.Name;

    public string FieldOf(int group) => Field(name, group);

    /// <summary>Whether a mark, as it was read, covers an offset.</summary>
    public bool Covers(string? mark, long offset) => OffsetOf(mark, _generation) >= offset;

    public static string Field(string name, int group) => string.Create(
        CultureInfo.InvariantCulture, $"{name}/{(group == AllGroups ? "all" : group)}");

    public static long OffsetOf(string? mark, string generation) =>
        mark?.Split(' ') is [var of, var number] && of == generation
            && long.TryParse(number, CultureInfo.InvariantCulture, out var offset) ? offset : StreamPosition.NoOffset;

    private static void WriteHash(RespWriter requests, string key, string one, ReadOnlySpan<byte> value)
    {
        requests.WriteArrayHeader(4);
        WriteHead(requests, key);
        requests.WriteBulkString(one);
        requests.WriteBulkString(value);
    }

    private static void WriteHash(
        RespWriter requests, string key, string one, ReadOnlySpan<byte> value, string other, ReadOnlySpan<byte> second)
    {
        requests.WriteArrayHeader(6);
        WriteHead(requests, key);
        requests.WriteBulkString(one);
        requests.WriteBulkString(value);
        requests.WriteBulkString(other);
        requests.WriteBulkString(second);
    }

    private static void WriteHead(RespWriter requests, string key)
    {
        requests.WriteBulkString("HSET"u8);
        requests.WriteBulkString(key);
    }

    private static string NewGeneration() => Guid.NewGuid().ToString("N")[..12];
}
