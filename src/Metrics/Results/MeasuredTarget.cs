namespace RedisLatency.Metrics.Results;

/// <summary>A server that was measured, and through which client.</summary>
public sealed record MeasuredTarget
{
    /// <summary>What the record calls it: its summary has the same name.</summary>
    public required string Name { get; init; }

    /// <summary>Where it is, without user and password.</summary>
    public required string Endpoint { get; init; }

    /// <summary>The lane that measured it: raw or stackexchange.</summary>
    public required string Driver { get; init; }

    /// <summary>The version of the client library.</summary>
    public required string DriverVersion { get; init; }

    /// <summary>What the server said of itself; null where it was not asked or did not answer.</summary>
    public ServerFacts? Server { get; init; }
}
