using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>What a server says of replication: whom it follows, or who follows it.</summary>
/// <param name="Primary">Whom it follows; null where it is the primary itself.</param>
/// <param name="Replicas">Of a primary: the replicas that have its data and follow.</param>
internal sealed record ReplicasReply(HostAndPort? Primary, IReadOnlyList<HostAndPort> Replicas)
{
    /// <summary>Asks by ROLE, or by INFO where the user may not.</summary>
    /// <exception cref="RedisException">The user may ask neither, or the reply is none.</exception>
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
            [.. replicas.Items.Where(one => one.Items.Count > 1)
                .Select(one => Address(one.Items[0].Text, one.Items[1].Text))]),
        [{ Text: "slave" }, var host, var port, ..] => new(Address(host.Text, port.Text), []),
        _ => throw new RedisProtocolException($"a server says of its role: {role}"),
    };

    internal static ReplicasReply Read(string information)
    {
        var fields = information.Split('\n', StringSplitOptions.TrimEntries)
            .Select(line => line.Split(':', 2))
            .Where(line => line.Length == 2)
            .DistinctBy(line => line[0])
            .ToDictionary(line => line[0], line => line[1]);
        if (fields.TryGetValue("master_host", out var host))
            return new ReplicasReply(Address(host, fields.GetValueOrDefault("master_port", string.Empty)), []);
        // slave0:ip=10.0.0.2,port=6379,state=online,offset=42,lag=0
        var replicas = fields.Where(field => field.Key.StartsWith("slave", StringComparison.Ordinal))
            .Select(field => field.Value.Split(',').Select(part => part.Split('=', 2))
                .Where(part => part.Length == 2)
                .DistinctBy(part => part[0])
                .ToDictionary(part => part[0], part => part[1]))
            .Where(replica => replica.GetValueOrDefault("state") == "online");
        return new ReplicasReply(null, [.. replicas.Select(
            replica => Address(replica.GetValueOrDefault("ip", string.Empty), replica.GetValueOrDefault("port", "")))]);
    }

    private static HostAndPort Address(string host, string port) =>
        host.Length > 0 && int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number is >= 1 and <= ushort.MaxValue
            ? new HostAndPort(host, number)
            : throw new RedisProtocolException($"a server names the address '{host}' '{port}'");
}
