namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>How the numbers of several processes are one number of their run.</summary>
public enum MergeRule
{
    /// <summary>They are added.</summary>
    Sum,

    /// <summary>The largest of them.</summary>
    Max,

    /// <summary>Their mean, each weighted by what its process sent.</summary>
    Mean,

    /// <summary>They are none: each is of its process alone, or of a server that all had.</summary>
    None,
}
