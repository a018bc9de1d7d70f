namespace RedisLatency.Redis.Topology;

/// <summary>What a cluster's error asks its client to do.</summary>
public enum RedirectionKind
{
    /// <summary>It is another error, none of the cluster's.</summary>
    None,

    /// <summary>Another node has the slot for good: ask there, and take a new map.</summary>
    Moved,

    /// <summary>Another node has this key while the slot moves: say ASKING there and ask once; keep the map.</summary>
    Ask,

    /// <summary>Some of the command's keys have moved and some not: ask the same node again later.</summary>
    TryAgain,

    /// <summary>The cluster, or this slot, has no node that serves it at the moment.</summary>
    ClusterDown,

    /// <summary>The command's keys are in several slots: it can never succeed.</summary>
    CrossSlot,
}
