using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

internal static class ServerRole
{
    /// <summary>Asks a server: by ROLE, else by what HELLO said, else by INFO. Null where it is the primary.</summary>
    public static string? WhyNotThePrimary(RedisConnection connection) => Ask(connection) switch
    {
        "master" => null,
        "slave" => "is a replica",
        var other => $"is a {other}",
    };

    private static string Ask(RedisConnection connection)
    {
        var role = connection.Request("ROLE");
        if (!role.IsError && role.Items.Count > 0)
            return role.Items[0].Text;
        if (connection.Hello?.Find("role") is { } told)
            return told.Text;
        var information = connection.Request(RespLimits.List, "INFO", "replication");
        if (!information.IsError && ServerFacts.FieldsOf(information.Text).TryGetValue("role", out var word))
            return word;
        throw new RedisConnectException(
            ConnectFailure.NotPermitted,
            $"{connection.Endpoint}: the server does not say whether it is the primary; to allow it: "
            + AclLine.For(connection.Endpoint.User, "+role"),
            new RedisServerException(role.Text));
    }
}
