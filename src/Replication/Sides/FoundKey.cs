namespace RedisLatency.Replication.Sides;

/// <summary>A key that was read, with the stamps of both clocks.</summary>
/// <param name="IntendedNs">When it was due, by the writer's clock.</param>
/// <param name="SentNs">When it was sent, by the writer's clock.</param>
/// <param name="LastMissNs">When the last look that did not find it went out, by ours; zero where there was none.</param>
/// <param name="FoundNs">When the answer came that held it, by ours.</param>
internal readonly record struct FoundKey(long IntendedNs, long SentNs, long LastMissNs, long FoundNs);
