namespace RedisLatency.Reports.Records;

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

    /// <summary>The version of RESP that was spoken.</summary>
    public int? Protocol { get; init; }

    /// <summary>How bytes travelled: tcp, tls or unix, and by which calls.</summary>
    public string? Transport { get; init; }

    /// <summary>What the server said of itself; null where it was not asked or did not answer.</summary>
    public ServerFacts? Server { get; init; }
}

/// <summary>What a server said of itself.</summary>
public sealed record ServerFacts
{
    /// <summary>The product: redis, valkey, or what it calls itself.</summary>
    public required string Name { get; init; }

    /// <summary>Its version.</summary>
    public required string Version { get; init; }

    /// <summary>standalone, cluster or sentinel.</summary>
    public string? Mode { get; init; }

    /// <summary>The system it runs on.</summary>
    public string? OperatingSystem { get; init; }

    /// <summary>Whatever else of INFO explains the numbers, under INFO's names.</summary>
    public IReadOnlyDictionary<string, string> Facts { get; init; } = new Dictionary<string, string>();
}
