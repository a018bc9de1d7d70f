using System.Text;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

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
    public ReplicasQuestion(RedisEndpoint endpoint, ClusterNodes nodes, RedisConnectionOptions options, Action switched)
    {
        (_endpoint, _nodes) = (endpoint, nodes);
        _options = options with { ClientName = "redislatency-replicas", BusyPoll = false };
        if (endpoint.Topology != EndpointTopology.Sentinel)
            return;
        _watch = SentinelWatch.Start(endpoint, options, switched: switched);
        _resolver = new SentinelResolver(endpoint, _options);
    }

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

/// <summary>What a server says of replication: whom it follows, or who follows it.</summary>
/// <param name="Primary">Whom it follows; null where it is the primary itself.</param>
/// <param name="Replicas">Of a primary: the replicas that have its data and follow.</param>
internal sealed record ReplicasReply(HostAndPort? Primary, IReadOnlyList<HostAndPort> Replicas)
{
    // What a program says that reads as a replica does and serves nobody.
    private const string NoPort = "0";

    /// <summary>Asks by ROLE, or by INFO where the user may not.</summary>
    public static ReplicasReply Ask(RedisConnection connection)
    {
        var role = connection.Request("ROLE");
        if (!role.IsError)
            return Read(role);
        var information = connection.Request(RespLimits.List, "INFO", "replication");
        if (!information.IsError)
            return Read(information.Text);
        throw new RedisConnectException(
            ConnectFailure.NotPermitted,
            $"{connection.Endpoint}: the server does not say who its replicas are; to allow it: "
            + AclLine.For(connection.Endpoint.User, "+role"),
            new RedisServerException(role.Text));
    }

    internal static ReplicasReply Read(RespValue role) => role.Items switch
    {
        [{ Text: "master" }, _, var replicas, ..] => new(null,
            [.. replicas.Items.Where(one => one.Items.Count > 1 && one.Items[1].Text != NoPort)
                .Select(one => Address(one.Items[0].Text, one.Items[1].Text))]),
        [{ Text: "slave" }, var host, var port, ..] => new(Address(host.Text, port.Text), []),
        _ => throw new RedisProtocolException($"a server says of its role: {role}"),
    };

    internal static ReplicasReply Read(string information)
    {
        var fields = ServerFacts.FieldsOf(information);
        if (fields.TryGetValue("master_host", out var host))
            return new ReplicasReply(Address(host, fields.GetValueOrDefault("master_port", string.Empty)), []);
        // slave0:ip=10.0.0.2,port=6379,state=online,offset=42,lag=0
        var replicas = fields.Where(field => field.Key.StartsWith("slave", StringComparison.Ordinal))
            .Select(field => field.Value.Split(',').Select(part => part.Split('=', 2))
                .Where(part => part.Length == 2)
                .DistinctBy(part => part[0])
                .ToDictionary(part => part[0], part => part[1]))
            .Where(replica => replica.GetValueOrDefault("state") == "online"
                && replica.GetValueOrDefault("port") != NoPort);
        return new ReplicasReply(null, [.. replicas.Select(
            replica => Address(replica.GetValueOrDefault("ip", string.Empty), replica.GetValueOrDefault("port", "")))]);
    }

    private static HostAndPort Address(string host, string port) => HostAndPort.NamedBy("a server", host, port);
}
