namespace RedisLatency.Sync.Targets;

/// <summary>What a server of the target has not answered yet.</summary>
/// <param name="Fields">By the names that RedisShake's status page has.</param>
/// <param name="UnansweredEntries">How many requests.</param>
/// <param name="OldestNs">When the oldest was received, by the monotonic clock; 0 where there is none.</param>
internal sealed record WriterProgress(
    IReadOnlyDictionary<string, object> Fields, long UnansweredEntries = 0, long OldestNs = 0);
