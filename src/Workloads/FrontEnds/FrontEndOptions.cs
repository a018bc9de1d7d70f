namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What every tool's options have.</summary>
internal abstract class FrontEndOptions
{
    public ForeignTarget Target { get; init; } = new();

    /// <summary>Whether numbers are defined as the original defines them.</summary>
    public bool AsOriginal { get; set; }
}
