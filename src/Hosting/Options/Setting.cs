namespace RedisLatency.Hosting.Options;

internal sealed record Setting(string Text, OptionOrigin Origin);
