namespace RedisLatency.Hosting.Options;

/// <summary>The value an option had in a run, and where it came from.</summary>
/// <param name="Name">The option's long name, for instance <c>--rate</c>.</param>
/// <param name="Value">As it can be typed again; secrets are masked, several values stand side by side.</param>
/// <param name="Source">
/// <c>default</c>, a file's name, <c>environment REDISLATENCY__Producer__Rate</c> or <c>command line</c>.
/// </param>
public sealed record EffectiveOption(string Name, string Value, string Source)
{
    /// <summary>The same one by one; empty where it has none.</summary>
    public IReadOnlyList<string> Values { get; init; } = [];
}
