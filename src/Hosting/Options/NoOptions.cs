namespace RedisLatency.Hosting.Options;

/// <summary>The options of a program that has verbs only.</summary>
public sealed class NoOptions;
