namespace RedisLatency.Replication.Probe;

/// <summary>A heartbeat as a poll found it.</summary>
internal readonly record struct FoundHeartbeat(long Number, long IntendedNs, long SentNs, long AskedNs, long FoundNs)
{
    public long Skipped { get; init; }
    public long SeenBeforeNs { get; init; }

    // One of those, from 1 for the oldest: not there at the last poll that found an older one, and no longer needed
    // when this one was found. When it was due is known by the schedule, but for those that were not sent; it left
    // before the next was due.
    public FoundHeartbeat Superseded(long ordinal, long intervalNs)
    {
        var earliest = SeenBeforeNs + (ordinal * intervalNs);
        var latest = IntendedNs - ((Skipped - ordinal) * intervalNs);
        return new FoundHeartbeat(
            Number - Skipped + ordinal - 1, earliest, earliest, AskedNs == 0 ? 0 : AskedNs - (latest - earliest),
            FoundNs);
    }
}
