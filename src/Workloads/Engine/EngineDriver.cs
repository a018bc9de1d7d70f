namespace RedisLatency.Workloads.Engine;

/// <summary>What sends and receives for an engine.</summary>
internal sealed record EngineDriver(string Name, string Version, string Loop)
{
    public static EngineDriver None { get; } = new(string.Empty, string.Empty, string.Empty);

    public bool IsClientLibrary { get; init; }

    /// <summary>The version of RESP where it is not that of a connection of ours; null where it is.</summary>
    public int? Protocol { get; init; }
}
