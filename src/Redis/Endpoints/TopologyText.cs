namespace RedisLatency.Redis.Endpoints;

/// <summary>
/// Reads the endpoints with several hosts: <c>redis+cluster://[login@]host:port[,host:port][/database]</c> and
/// <c>redis+sentinel://[login@]host:port[,host:port]/service[/database]</c>; every error found is added to a list.
/// </summary>
internal static class TopologyText
{
    public const string ClusterForm = "redis+cluster://host:port,host:port";
    public const string SentinelForm = "redis+sentinel://host:port,host:port/service";

    private const string SentinelUserKey = "sentinel-user";
    private const string SentinelPasswordKey = "sentinel-password";

    public static string Write(RedisEndpoint endpoint, string login)
    {
        var isSentinel = endpoint.Topology == EndpointTopology.Sentinel;
        var text = $"{(endpoint.UseTls ? "rediss" : "redis")}+{(isSentinel ? "sentinel" : "cluster")}://{login}"
            + $"{endpoint.Address}{(isSentinel ? $"/{Uri.EscapeDataString(endpoint.Service ?? string.Empty)}" : null)}"
            + $"/{endpoint.Database}";
        var options = new List<string>();
        if (endpoint.SentinelUser is not null)
            options.Add($"{SentinelUserKey}=***");
        if (endpoint.SentinelPassword is { } password)
            options.Add($"{SentinelPasswordKey}={password}");
        return options.Count == 0 ? text : $"{text}?{string.Join('&', options)}";
    }

    public static RedisEndpoint ReadHosts(string text, RedisEndpoint endpoint, List<string> errors)
    {
        var port = endpoint.Topology == EndpointTopology.Sentinel
            ? RedisEndpoint.DefaultSentinelPort
            : RedisEndpoint.DefaultPort;
        var addresses = text.Split(',', StringSplitOptions.TrimEntries)
            .Select(one => EndpointText.ReadHostAndPort(one, new RedisEndpoint { Port = port }, errors))
            .Select(one => new HostAndPort(one.Host, one.Port))
            .Distinct()
            .ToList();
        return endpoint with
        {
            Host = addresses[0].Host,
            Port = addresses[0].Port,
            OtherAddresses = new AddressList(addresses.Skip(1)),
        };
    }

    public static RedisEndpoint ReadPath(string path, RedisEndpoint endpoint, List<string> errors)
    {
        var parts = path.Length == 0 ? [] : path.Split('/');
        if (endpoint.Topology == EndpointTopology.Sentinel)
        {
            if (parts.Length == 0)
                return EndpointText.Fail(errors, $"the name of the service is missing: {SentinelForm}");
            endpoint = endpoint with
            {
                Service = EndpointText.Decode(parts[0], "the service's name", errors),
            };
            parts = parts[1..];
        }

        if (parts.Length > 1)
            return EndpointText.Fail(errors, "nothing stands behind the database");
        return parts.Length == 0
            ? endpoint
            : endpoint with { Database = EndpointText.ReadDatabase(parts[0], errors) };
    }

    /// <summary>Of a single server too.</summary>
    public static RedisEndpoint ReadQuery(string text, RedisEndpoint endpoint, List<string> errors)
    {
        foreach (var pair in text.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            var equals = pair.IndexOf('=');
            var (key, value) = equals < 0 ? (pair, string.Empty) : (pair[..equals], pair[(equals + 1)..]);
            var isSentinel = endpoint.Topology == EndpointTopology.Sentinel;
            switch (key.ToLowerInvariant())
            {
                case "db" when equals >= 0:
                    endpoint = endpoint with { Database = EndpointText.ReadDatabase(value, errors) };
                    break;
                case SentinelUserKey when isSentinel && value.Length > 0:
                    endpoint = endpoint with { SentinelUser = EndpointText.Decode(value, "sentinel-user", errors) };
                    break;
                case SentinelPasswordKey when isSentinel && value.Length > 0:
                    var password = EndpointText.Decode(value, "sentinel-password", errors);
                    endpoint = endpoint with { SentinelPassword = new RedisPassword(password) };
                    break;
                default:
                    errors.Add(isSentinel
                        ? "after the '?' only db=NUMBER, sentinel-user=NAME and sentinel-password=TEXT are known"
                        : "after the '?' only db=NUMBER is known");
                    break;
            }
        }

        if (endpoint.SentinelUser is not null && endpoint.SentinelPassword is null)
            errors.Add("sentinel-user needs a sentinel-password");
        return endpoint;
    }
}
