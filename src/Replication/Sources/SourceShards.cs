using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication.Sources;

/// <summary>
/// The readers of a source: one for a server, one for each shard of a cluster; each finds its server anew.
/// </summary>
internal sealed class SourceShards : IDisposable
{
    private static readonly TimeSpan LongestRenewal = TimeSpan.FromMilliseconds(500);

    private readonly SourceOptions _options;
    private readonly SlotMapSource? _map;

    private SourceShards(SourceOptions options)
    {
        _options = options;
        if (options.Endpoint.Topology != EndpointTopology.Cluster)
        {
            Readers = [new ReplicaReader(options.Endpoint.Address, PlaceOfServer, options)];
            return;
        }

        _map = SlotMapSource.Open(options.Endpoint, options.Connection);
        Readers =
        [
            .. _map.Current.Shards.Where(shard => shard.SlotCount > 0).Select(shard => new ReplicaReader(
                shard.Primary.Endpoint.Address, new ShardOfSlot(this, shard.Ranges[0].First).Find, options)),
        ];
    }

    public IReadOnlyList<ISyncReader> Readers { get; }

    /// <exception cref="RunRefusedException">Slots of the cluster are nobody's.</exception>
    /// <exception cref="Redis.RedisException">It cannot be reached.</exception>
    public static SourceShards Open(SourceOptions options)
    {
        var shards = new SourceShards(options);
        if (shards._map?.Current is not { IsComplete: false } map)
            return shards;
        shards.Dispose();
        throw new RunRefusedException(
            $"The source {options.Endpoint.Address} is a cluster in which no server has slots "
            + $"{string.Join(' ', map.Missing)}.");
    }

    public void Dispose() => _map?.Dispose();

    private RedisEndpoint PlaceOfServer()
    {
        if (!_options.PrefersReplica)
            return _options.Endpoint;
        using var primary = RedisConnection.Open(_options.Endpoint, _options.Connection);
        var fields = ServerFacts.Read(primary).Fields;
        return fields.Where(field => field.Key.StartsWith("slave", StringComparison.Ordinal))
            .Select(field => ReplicaOf(field.Value)).OfType<HostAndPort>()
            .Select(address => _options.Endpoint.At(address)).FirstOrDefault() ?? primary.Endpoint;
    }

    // ip=127.0.0.1,port=6380,state=online,offset=1,lag=0; one like us has port 0.
    private static HostAndPort? ReplicaOf(string text)
    {
        var facts = text.Split(',').Select(fact => fact.Split('=', 2)).Where(fact => fact.Length == 2)
            .ToDictionary(fact => fact[0], fact => fact[1]);
        return facts.GetValueOrDefault("state") == "online" && facts.GetValueOrDefault("ip") is { } host
            && int.TryParse(facts.GetValueOrDefault("port"), CultureInfo.InvariantCulture, out var port) && port > 0
            ? new HostAndPort(host, port)
            : null;
    }

    private sealed class ShardOfSlot(SourceShards owner, int slot)
    {
        private bool _isAskedAgain;

        public RedisEndpoint Find()
        {
            var map = owner._map ?? throw new InvalidOperationException("A server has no slots.");
            var known = map.Current;
            if (_isAskedAgain)
            {
                map.Doubt(known, known.PrimaryOf(slot));
                known = map.WaitForNewer(known, LongestRenewal);
            }

            _isAskedAgain = true;
            var shard = known.ShardOf(slot)
                ?? throw new Redis.RedisServerException($"CLUSTERDOWN no server of the source has slot {slot}");
            var node = owner._options.PrefersReplica && shard.Replicas.Count > 0 ? shard.Replicas[0] : shard.Primary;
            return node.Endpoint.SocketPath is null
                ? owner._options.Endpoint.At(new HostAndPort(node.Endpoint.Host, node.Endpoint.Port))
                : node.Endpoint;
        }
    }
}
