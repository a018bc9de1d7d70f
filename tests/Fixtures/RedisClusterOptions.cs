namespace RedisLatency.Fixtures;

/// <summary>A cluster of processes on this machine.</summary>
public sealed record RedisClusterOptions
{
    /// <summary><c>redis-server</c> or <c>valkey-server</c>; must be on the PATH.</summary>
    public string Program { get; init; } = "redis-server";

    /// <summary>How many primaries share the slots.</summary>
    public int Primaries { get; init; } = 3;

    /// <summary>How many replicas each of them has.</summary>
    public int ReplicasPerPrimary { get; init; } = 1;

    /// <summary>How long a server is silent before the others hold it to be gone.</summary>
    /// <value>The default is 2 s: short, so that failovers are quick, and longer than busy machines stall.</value>
    public TimeSpan NodeTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The password of every server, or null.</summary>
    public string? Password { get; init; }

    /// <summary>More arguments of each server.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];
}
