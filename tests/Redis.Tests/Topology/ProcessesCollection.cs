namespace RedisLatency.Redis.Tests.Topology;

/// <summary>
/// Tests that run many server processes each: one after the other, beside those that run none.
/// </summary>
[CollectionDefinition(nameof(ProcessesCollection))]
public sealed class ProcessesCollection;
