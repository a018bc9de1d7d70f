using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>What the tests with real clusters share: a client that follows redirections in the simplest way.</summary>
internal sealed class ClusterTest(SlotMapSource source) : IDisposable
{
    private readonly SlotRoutes _routes = new(source);
    private readonly Dictionary<ClusterNode, RedisConnection> _connections = [];

    public int Moved { get; private set; }

    public int Asked { get; private set; }

    public static Task<RedisClusterProcesses> Start(RedisClusterOptions? options = null)
    {
        ServerRequirement.Require(options?.Program ?? "redis-server");
        return RedisClusterProcesses.Start(options);
    }

    /// <summary>The primaries' ports as the map has them, in slot order.</summary>
    public static IEnumerable<int> Ports(SlotMap map) => map.Shards.Select(shard => shard.Primary.Endpoint.Port);

    /// <summary>A key of a slot.</summary>
    public static string Key(int slot) => $"k:{{{SlotTags.Of(slot)}}}";

    /// <summary>Sends a command to its slot's primary, and follows where it is led.</summary>
    public RespValue Execute(int slot, params string[] words)
    {
        _routes.TryTakeNewer();
        var node = source.Nodes[_routes.PrimaryOf(slot)];
        for (var hops = 0; hops < 8; hops++)
        {
            var reply = Connection(node).Request(words);
            if (!reply.IsError || !Redirection.TryParse(reply.Content, out var redirection))
                return reply;
            node = _routes.Follow(redirection, node);
            if (redirection.Kind == ErrorKind.Moved)
            {
                Moved++;
            }
            else
            {
                Asked++;
                Connection(node).Execute("ASKING");
            }
        }

        throw new InvalidOperationException($"slot {slot}: led from one server to the next without end");
    }

    public void Dispose()
    {
        foreach (var connection in _connections.Values)
            connection.Dispose();
    }

    private RedisConnection Connection(ClusterNode node)
    {
        if (!_connections.TryGetValue(node, out var connection))
            _connections[node] = connection = RedisConnection.Open(node.Endpoint, Patience.Connection);
        return connection;
    }
}
