using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>What a server says that it is.</summary>
/// <param name="Name">primary, replica or sentinel.</param>
/// <param name="Link">A replica's link to its primary: <c>connected</c>, <c>sync</c>; else empty.</param>
internal readonly record struct ServerRole(string Name, string Link)
{
    public string? WhyNotThePrimary => Name == "primary" ? null : $"is a {Name}";

    public string? WhyNotAFittingReplica => (Name, Link) switch
    {
        ("replica", "connected" or "") => null,
        ("replica", _) => $"does not follow its primary yet ({Link})",
        _ => $"is a {Name}",
    };

    /// <summary>Asks a server: by ROLE, else by what HELLO said, else by INFO.</summary>
    /// <exception cref="RedisConnectException">The user may ask nothing of this.</exception>
    public static ServerRole Ask(RedisConnection connection)
    {
        var role = connection.Request("ROLE");
        if (!role.IsError && role.Items.Count > 0)
        {
            return new ServerRole(
                Word(role.Items[0].Text), role.Items.Count > 3 ? role.Items[3].Text : string.Empty);
        }

        if (connection.Hello?.Find("role") is { } told)
            return new ServerRole(Word(told.Text), string.Empty);
        var information = connection.Request(RespLimits.List, "INFO", "replication");
        if (!information.IsError && Field(information.Text, "role:") is { } word)
        {
            var isUp = Field(information.Text, "master_link_status:") is not { } link || link == "up";
            return new ServerRole(Word(word), isUp ? string.Empty : "down");
        }

        throw new RedisConnectException(
            ConnectFailure.NotPermitted,
            $"{connection.Endpoint}: the server does not say whether it is the primary; to allow it: "
            + AclLine.For(connection.Endpoint.User, "+role"),
            new RedisServerException(role.Text));
    }

    private static string Word(string role) => role switch
    {
        "master" => "primary",
        "slave" => "replica",
        _ => role,
    };

    private static string? Field(string information, string name) => information
        .Split('\n', StringSplitOptions.TrimEntries)
        .Where(line => line.StartsWith(name, StringComparison.Ordinal))
        .Select(line => line[name.Length..])
        .FirstOrDefault();
}
