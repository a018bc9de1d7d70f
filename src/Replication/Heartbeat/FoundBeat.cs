namespace RedisLatency.Replication.Heartbeat;

/// <summary>A heartbeat that was found at the destination.</summary>
/// <param name="Number">Its number among those that were sent.</param>
/// <param name="IntendedNs">When it was due, by the writer's clock.</param>
/// <param name="SentNs">When it was sent, by the writer's clock.</param>
/// <param name="AskedNs">
/// When the last look that found an older one went out, by the reader's; zero where none did.
/// </param>
/// <param name="FoundNs">When the answer came that held it, by the reader's.</param>
internal readonly record struct FoundBeat(long Number, long IntendedNs, long SentNs, long AskedNs, long FoundNs)
{
    /// <summary>How many before it were overwritten without having been seen.</summary>
    public long Skipped { get; init; }

    /// <summary>When the one was due that was seen before those.</summary>
    public long SeenBeforeNs { get; init; }

    /// <summary>
    /// One of those, from 1 for the oldest: not there at the last look that found an older one, and no longer needed
    /// when this one was found. When it was due is known by the schedule, but for those that were not sent; it left
    /// before the next was due.
    /// </summary>
    public FoundBeat Superseded(long place, long intervalNs)
    {
        var earliest = SeenBeforeNs + (place * intervalNs);
        var latest = IntendedNs - ((Skipped - place) * intervalNs);
        return new FoundBeat(
            Number - Skipped + place - 1, earliest, earliest, AskedNs == 0 ? 0 : AskedNs - (latest - earliest), FoundNs);
    }
}
