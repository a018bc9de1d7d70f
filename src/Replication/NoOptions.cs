namespace RedisLatency.Replication;

/// <summary>The options of a command that only has verbs.</summary>
internal sealed class NoOptions;
