namespace RedisLatency.Reports.Records;

/// <summary>An option as it took effect.</summary>
/// <param name="Name">As on the command line, without the dashes.</param>
/// <param name="Value">As it would be typed; a secret is not an option's value here, but "***".</param>
/// <param name="Source">Where it came from.</param>
public sealed record EffectiveOption(string Name, string Value, OptionSource Source);
