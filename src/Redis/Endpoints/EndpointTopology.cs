namespace RedisLatency.Redis.Endpoints;

/// <summary>What an endpoint's addresses are the addresses of.</summary>
public enum EndpointTopology
{
    /// <summary>One server.</summary>
    Standalone,

    /// <summary>Some servers of a cluster, of which any one knows the others.</summary>
    Cluster,

    /// <summary>Sentinels, which know where the primary of a service is.</summary>
    Sentinel,
}
