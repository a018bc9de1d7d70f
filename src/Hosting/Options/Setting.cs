namespace RedisLatency.Hosting.Options;

/// <summary>A value with the place it came from.</summary>
internal sealed record Setting(string Text, OptionOrigin Origin);
