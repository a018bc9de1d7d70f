namespace RedisLatency.Lab.Mutations.Trials;

/// <summary>Nothing else of these tests runs meanwhile.</summary>
[CollectionDefinition(nameof(AloneCollection), DisableParallelization = true)]
public sealed class AloneCollection;
