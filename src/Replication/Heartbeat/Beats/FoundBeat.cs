namespace RedisLatency.Replication.Heartbeat.Beats;

/// <summary>A heartbeat that was found at the destination.</summary>
/// <param name="Number">Its number among those that were sent.</param>
/// <param name="IntendedNs">When it was due, by the writer's clock.</param>
/// <param name="SentNs">When it was sent, by the writer's clock.</param>
/// <param name="AskedNs">When the last look that found an older one went out, by the reader's; zero where none did.</param>
/// <param name="FoundNs">When the answer came that held it, by the reader's.</param>
internal readonly record struct FoundBeat(long Number, long IntendedNs, long SentNs, long AskedNs, long FoundNs);
