namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>
/// Tests that run many server processes each: alone, so that neither they nor the others wait for a processor.
/// </summary>
[CollectionDefinition(nameof(ProcessesCollection), DisableParallelization = true)]
public sealed class ProcessesCollection;
