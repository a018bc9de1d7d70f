using System.Text;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Asks who the primary of a service is and which replicas follow it, and gives them as one shard that has all slots.
/// Through Sentinels the primary is the one that they know; without them it is the server that was given, or the one
/// that this follows, or whichever of the servers once known has become one.
/// </summary>
internal sealed class ReplicasQuestion : ISlotMapQuestion
{
    private const int MostHops = 4;

    private static readonly SlotRange All = new(0, KeySlot.Count - 1);

    private readonly RedisEndpoint _endpoint;
    private readonly ClusterNodes _nodes;
    private readonly RedisConnectionOptions _options;
    private readonly SentinelResolver? _resolver;
    private readonly SentinelWatch? _watch;

    /// <summary>Calls <paramref name="switched"/>, on another thread, when Sentinels name another primary.</summary>
    /// <exception cref="RedisException">There is no primary to begin with.</exception>
    public ReplicasQuestion(
        RedisEndpoint endpoint, ClusterNodes nodes, RedisConnectionOptions options, Action switched)
    {
        (_endpoint, _nodes) = (endpoint, nodes);
        _options = options with { ClientName = "redislatency-replicas", BusyPoll = false };
        if (endpoint.Topology != EndpointTopology.Sentinel)
            return;
        _watch = SentinelWatch.Start(endpoint, options, switched: switched);
        _resolver = new SentinelResolver(endpoint, _options);
    }

    /// <summary>Whether Sentinels have named another primary since this map.</summary>
    public bool IsSuperseded(SlotMap map) => _watch is not null && map.Shards[0].Primary.Endpoint != _watch.Primary;

    public SlotMap Ask(ClusterNode? witness, long version)
    {
        using var connection = OpenPrimary(out var reply);
        var primary = _nodes.Add(connection.Endpoint);
        var replicas = reply.Replicas
            .Select(address => _nodes.At(Encoding.UTF8.GetBytes(address.Host), address.Port, primary));
        return new SlotMap(version, [new ClusterShard(primary, [.. replicas.Distinct()], [All])]);
    }

    public void Dispose() => _watch?.Dispose();

    private RedisConnection OpenPrimary(out ReplicasReply reply)
    {
        // The watch has verified its primary, and hears of another one sooner than some Sentinels do.
        if (_watch is not null)
            return TryOpen(_watch.Primary, out reply!) ?? Asked(_resolver!.OpenPrimary(), out reply);
        var problems = new List<RedisException>();
        foreach (var server in _nodes.Known.Select(node => node.Endpoint).Prepend(_endpoint).Distinct())
        {
            try
            {
                return Follow(server, out reply);
            }
            catch (RedisException problem) when (problem.IsTransient)
            {
                problems.Add(problem);
            }
        }

        throw problems.Count == 1 ? problems[0] : new RedisConnectException(
            ConnectFailure.NoFittingServer,
            $"{_endpoint}: none of its servers is the primary: "
            + string.Join("; ", problems.Select(problem => problem.Message)),
            problems[0]);
    }

    private RedisConnection? TryOpen(RedisEndpoint server, out ReplicasReply? reply)
    {
        reply = null;
        RedisConnection? connection = null;
        try
        {
            connection = RedisConnection.Open(server, _options);
            reply = ReplicasReply.Ask(connection);
            if (reply.Primary is null)
                return connection;
        }
        catch (RedisException problem) when (problem.IsTransient)
        {
            // Sentinels may know another one by now.
        }
        catch
        {
            connection?.Dispose();
            throw;
        }

        connection?.Dispose();
        return null;
    }

    private static RedisConnection Asked(RedisConnection connection, out ReplicasReply reply)
    {
        try
        {
            reply = ReplicasReply.Ask(connection);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private RedisConnection Follow(RedisEndpoint server, out ReplicasReply reply)
    {
        var at = server;
        for (var hops = 0; hops < MostHops; hops++)
        {
            var connection = Asked(RedisConnection.Open(at, _options), out reply);
            if (reply.Primary is not { } primary)
                return connection;
            connection.Dispose();
            at = server.At(primary);
        }

        throw new RedisConnectException(
            ConnectFailure.NoFittingServer, $"{server}: it follows a server that follows another, without end");
    }
}
