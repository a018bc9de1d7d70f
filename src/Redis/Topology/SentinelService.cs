using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Topology;

/// <summary>What the Sentinels of a service say of it.</summary>
public static class SentinelService
{
    /// <summary>
    /// Asks all Sentinels that an endpoint names who the primary is, and takes what those with the highest
    /// configuration epoch say; no server is asked whether it is true.
    /// </summary>
    /// <param name="endpoint"><c>redis+sentinel://host:port,host:port/service</c>.</param>
    /// <param name="options">How to connect.</param>
    /// <returns>
    /// One address; several where they disagree, none where no Sentinel answers; whether one of them is at a failover.
    /// </returns>
    public static (IReadOnlyList<HostAndPort> Named, bool IsFailingOver) NamePrimary(
        RedisEndpoint endpoint, RedisConnectionOptions? options = null) =>
        new SentinelResolver(endpoint, options).AskAll();
}
