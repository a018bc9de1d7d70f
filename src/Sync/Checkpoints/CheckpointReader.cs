using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>Reads what a target has of a source.</summary>
internal static class CheckpointReader
{
    /// <summary>What a source's shard is called there.</summary>
    /// <param name="source">The source, as results name it.</param>
    /// <param name="shard">The first of its slots.</param>
    public static string FieldOf(string source, int shard) =>
        shard == 0 ? source : string.Create(CultureInfo.InvariantCulture, $"{source}#{shard}");

    /// <returns>Null where the target has none that is whole.</returns>
    /// <exception cref="Redis.RedisException">The target cannot be asked.</exception>
    public static Checkpoint? Read(TargetServer target, string field)
    {
        using var map = target.IsCluster ? target.OpenMap() : null;
        var first = map?.Current.PrimaryOf(CheckpointKeys.Slot)?.Endpoint ?? target.Target.Endpoint;
        using var connection = (target.Target with { Endpoint = first }).OpenControl();
        if (connection.Request("HGET", CheckpointKeys.Name, field) is not { IsError: false, IsNull: false } reply
            || reply.Text.Split(' ') is not [var generation, var id, var offset, var database, var groups]
            || !long.TryParse(offset, CultureInfo.InvariantCulture, out var position)
            || !int.TryParse(database, CultureInfo.InvariantCulture, out var selected)
            || !int.TryParse(groups, CultureInfo.InvariantCulture, out var count) || count < 1)
        {
            return null;
        }

        var all = Mark(connection, CheckpointKeys.Name, ShardCheckpoint.AllGroups);
        var marks = new Dictionary<int, long>();
        if (map is null)
        {
            for (var group = 0; group < count; group++)
                marks[group] = Mark(connection, CheckpointKeys.Name, group);
        }
        else
        {
            foreach (var shard in map.Current.Shards)
                ReadSlots(target, shard, field, generation, marks);
        }

        return new Checkpoint(generation, new StreamPosition(id, position, selected), count, marks, all);

        long Mark(RedisConnection asked, string key, int group) => ShardCheckpoint.OffsetOf(
            TextOf(asked.Request("HGET", key, ShardCheckpoint.Field(field, group))), generation);
    }

    private static string? TextOf(RespValue reply) => reply.IsError || reply.IsNull ? null : reply.Text;

    private static void ReadSlots(
        TargetServer target, ClusterShard shard, string field, string generation, Dictionary<int, long> marks)
    {
        using var pipeline = RedisPipeline.Open(shard.Primary.Endpoint, target.Target.Connection);
        var slots = shard.Ranges.SelectMany(range => Enumerable.Range(range.First, range.Last - range.First + 1))
            .ToList();
        var requests = new RespWriter();
        foreach (var slot in slots)
            requests.WriteRequest("HGET", CheckpointKeys.OfSlot(slot), ShardCheckpoint.Field(field, slot));
        pipeline.Send(requests.Written, slots.Count);
        foreach (var slot in slots)
        {
            var reply = pipeline.Await("HGET");
            if (!reply.IsError && !reply.IsNull)
            {
                var text = System.Text.Encoding.ASCII.GetString(reply.Content);
                marks[slot] = ShardCheckpoint.OffsetOf(text, generation);
            }
        }
    }
}
