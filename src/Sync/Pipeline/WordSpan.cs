namespace RedisLatency.Sync.Pipeline;

/// <summary>Where a word lies: in its frame or, once in a batch, in the batch's bytes.</summary>
internal readonly record struct WordSpan(int Start, int Length);
