namespace RedisLatency.Reports.Figures;

/// <summary>What one phase of a workload did, beside its latencies.</summary>
public sealed record WorkloadResult
{
    /// <summary>load or run.</summary>
    public required string Verb { get; init; }

    /// <summary>
    /// Which of several things that a scenario measures the phase belongs to: an instance, a value size.
    /// </summary>
    public string? Group { get; init; }

    /// <summary>The phase's name within its group.</summary>
    public required string Phase { get; init; }

    /// <summary>What precedes its series in the interval log; empty where it is the only phase.</summary>
    public string Tag { get; init; } = string.Empty;

    /// <summary>
    /// Whether it is here for comparison only: the in-process server, which says what the tool can do.
    /// </summary>
    public bool IsFloor { get; init; }

    /// <summary>The options that make the phase, as they would be typed.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = new Dictionary<string, string>();

    /// <summary>The operations that it was made of.</summary>
    public IReadOnlyList<OperationResult> Operations { get; init; } = [];

    /// <summary>What drove them; null where another tool did and does not say.</summary>
    public EngineFacts? Engine { get; init; }

    /// <summary>How many servers were asked what they counted, and what they hold: all that were sent to.</summary>
    public int ServersAsked { get; init; }

    /// <summary>What the servers counted meanwhile, for each command.</summary>
    public IReadOnlyList<ServerCommandUse> ServerCommands { get; init; } = [];

    /// <summary>What limited the throughput, in a sentence; null where nothing can be said.</summary>
    public string? Limit { get; init; }

    /// <summary>What others published for the same configuration.</summary>
    public IReadOnlyList<PublishedFigure> Published { get; init; } = [];
}
