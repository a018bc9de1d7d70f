namespace RedisLatency.Reports.Records;

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
