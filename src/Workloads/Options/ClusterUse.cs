namespace RedisLatency.Workloads.Options;

/// <summary>Whether the servers are nodes of a cluster.</summary>
internal enum ClusterUse
{
    /// <summary>As the first server says of itself.</summary>
    Auto,

    /// <summary>They are: every key goes to the node that has its slot, redirections are followed.</summary>
    On,

    /// <summary>They are not, or a proxy stands before the cluster: a redirection is an error.</summary>
    Off,
}
