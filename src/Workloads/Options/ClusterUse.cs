namespace RedisLatency.Workloads.Options;

internal enum ClusterUse
{
    Auto,

    /// <summary>They are: every key goes to the node that has its slot, redirections are followed.</summary>
    On,

    /// <summary>They are not, or a proxy stands before the cluster: a redirection is an error.</summary>
    Off,
}
