namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The options that the command lines of all other tools have in common.</summary>
internal abstract class FrontEndOptions
{
    public ForeignTarget Target { get; init; } = new();

    /// <summary>Whether numbers are defined as the original defines them.</summary>
    public bool AsOriginal { get; set; }
}
