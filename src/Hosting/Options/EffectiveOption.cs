namespace RedisLatency.Hosting.Options;

/// <summary>The value an option had in a run, and where it came from.</summary>
/// <param name="Name">The option's long name, for instance <c>--rate</c>.</param>
/// <param name="Value">The value as it can be typed again; secrets are masked, several values stand side by side.</param>
/// <param name="Source">
/// <c>default</c>, <c>appsettings.json</c>, <c>environment REDISLATENCY__Producer__Rate</c> or <c>command line</c>.
/// </param>
public sealed record EffectiveOption(string Name, string Value, string Source);
