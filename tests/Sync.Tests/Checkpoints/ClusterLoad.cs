using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>
/// Writes to all shards of a source what shows whether it came twice, or not at all, until it is stopped. A key that is
/// on its way to another shard is left out.
/// </summary>
internal sealed class ClusterLoad : SourceWriter
{
    private const int Keys = 200;

    private readonly RedisClusterProcesses _cluster;
    private readonly Dictionary<RedisServerProcess, RedisConnection> _connections = [];
    private readonly Dictionary<string, RedisServerProcess> _owners = [];

    private ClusterLoad(RedisClusterProcesses cluster)
        : base(() => cluster.Open(cluster.PrimaryOf(0))) => _cluster = cluster;

    public static ClusterLoad Start(RedisClusterProcesses cluster)
    {
        var load = new ClusterLoad(cluster);
        load.Begin();
        return load;
    }

    protected override void Write(int round)
    {
        var key = $"{round % Keys}";
        DoFor(key, "INCR", $"count:{{{key}}}");
        DoFor(key, "RPUSH", $"list:{{{key}}}", $"{round}");
        DoFor(key, "SET", $"set:{{{key}}}", $"{round}");
        DoFor(key, "DEL", $"type:{{{key}}}");
        DoFor(key, round % 2 == 0 ? "SADD" : "RPUSH", $"type:{{{key}}}", $"{round}");
    }

    private void DoFor(string key, params string[] words)
    {
        if (!_owners.TryGetValue(key, out var owner))
            _owners[key] = owner = _cluster.PrimaryOf(KeySlot.Of(Encoding.ASCII.GetBytes(key)));
        if (!_connections.TryGetValue(owner, out var connection))
            _connections[owner] = connection = _cluster.Open(owner);
        if (connection.Request(words).IsError)
            _owners.Remove(key);
    }
}
