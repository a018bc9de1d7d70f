namespace RedisLatency.Integration.Stalls;

/// <summary>Nothing else of these tests runs meanwhile: a busy machine stalls too.</summary>
[CollectionDefinition(nameof(StallCollection), DisableParallelization = true)]
public sealed class StallCollection;
