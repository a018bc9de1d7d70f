namespace RedisLatency.Hosting.Options.Settings;

/// <summary>A value with the place it came from.</summary>
internal sealed record Setting(string Text, OptionOrigin Origin);
