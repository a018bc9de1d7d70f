namespace RedisLatency.Hosting.Options;

/// <summary>A command line to copy, with what it is for.</summary>
public sealed record CommandExample(string Purpose, string Command);
