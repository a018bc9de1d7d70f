namespace RedisLatency.Fixtures;

/// <summary>A primary with replicas, and Sentinels that watch them.</summary>
public sealed record SentinelOptions
{
    /// <summary>The name of the service.</summary>
    public string Service { get; init; } = "mymaster";

    /// <summary>How many replicas the primary has.</summary>
    public int Replicas { get; init; } = 1;

    /// <summary>How many Sentinels there are.</summary>
    public int Sentinels { get; init; } = 3;

    /// <summary>The password of the servers, or null.</summary>
    public string? Password { get; init; }

    /// <summary>The password of the Sentinels, or null.</summary>
    public string? SentinelPassword { get; init; }

    /// <summary>More lines of each Sentinel's configuration: <c>user alice on >secret allcommands</c>.</summary>
    public IReadOnlyList<string> SentinelLines { get; init; } = [];
}
