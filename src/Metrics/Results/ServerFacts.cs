namespace RedisLatency.Metrics.Results;

/// <summary>What a server said of itself.</summary>
public sealed record ServerFacts
{
    private const string Unknown = "unknown";

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

    /// <summary>Makes them of the fields of INFO.</summary>
    public static ServerFacts FromInfo(IReadOnlyDictionary<string, string> fields)
    {
        // Valkey and its like keep redis_version for old clients and say who they are beside it.
        var name = fields.GetValueOrDefault("server_name", "redis");
        return new ServerFacts
        {
            Name = name,
            Version = fields.GetValueOrDefault($"{name}_version")
                ?? fields.GetValueOrDefault("redis_version") ?? Unknown,
            Mode = fields.GetValueOrDefault("redis_mode") ?? fields.GetValueOrDefault("server_mode"),
            OperatingSystem = fields.GetValueOrDefault("os"),
            Facts = fields,
        };
    }
}
