namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What every tool's options have.</summary>
internal abstract class ForeignOptionsOf
{
    public ForeignTarget Target { get; init; } = new();

    public bool IsHelpAsked { get; set; }

    public bool IsVersionAsked { get; set; }

    /// <summary>Whether numbers are defined as the original defines them.</summary>
    public bool AsOriginal { get; set; }
}
