namespace RedisLatency.Hosting.Options;

/// <summary>Which run a process belongs to, and which process of it this is.</summary>
public sealed class IdentityOptions
{
    /// <summary>The name of the run; null to make one up.</summary>
    public string? Run { get; set; }

    /// <summary>Where the process stands; null where it does not matter.</summary>
    public string? Region { get; set; }

    /// <summary>Which process it is; null to make a name up.</summary>
    public string? Instance { get; set; }
}
