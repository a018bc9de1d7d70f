namespace RedisLatency.Reports.Figures;

/// <summary>
/// How a replication's delay was found out. The metrics count what became of every key: asked = unsent + refused + read
/// + overwritten + missing + unread; of heartbeats, which are overwritten on purpose, asked = unsent + refused + read +
/// skipped + unread. Where each key is read at several destinations, the first summary of the record is of all of them
/// together, so that a key counts once for each, and a summary for each follows it.
/// </summary>
public sealed record ReplicationDelay
{
    /// <summary>Where keys were written, without user and password.</summary>
    public required string Source { get; init; }

    /// <summary>Where they were read; several with commas.</summary>
    public required string Destination { get; init; }

    /// <summary>How many destinations this is of: a key counts once for each.</summary>
    public int Destinations { get; init; } = 1;

    /// <summary>
    /// Whether another process reads: its record has the delays, and here nothing is known of what was read.
    /// </summary>
    public bool ReadElsewhere { get; init; }

    /// <summary>Which region the source is in; null where it was not said.</summary>
    public string? SourceRegion { get; init; }

    /// <summary>Which region the destination is in; null where it was not said.</summary>
    public string? DestinationRegion { get; init; }

    /// <summary>How it was known when a key was there: polling.</summary>
    public required string Reading { get; init; }

    /// <summary>Whose clocks the two stamps of a delay are of: one clock, where there is nothing to correct.</summary>
    public required string Clocks { get; init; }

    /// <summary>
    /// How far any delay may be off because the two clocks are compared over a network, in nanoseconds; 0 with one
    /// clock.
    /// </summary>
    public long ErrorNs { get; init; }

    /// <summary>How long after it was sent a key was polled for, in nanoseconds.</summary>
    public required long DeadlineNs { get; init; }

    /// <summary>Sent to the source in a connection that was lost before the reply; part of the other counts.</summary>
    public long Unanswered { get; init; }

    /// <summary>Of the missing, those that were not at the source either: evicted, expired or deleted there.</summary>
    public long MissingAtSource { get; init; }

    /// <summary>How often the destination was asked.</summary>
    public long Polls { get; init; }

    /// <summary>Bytes to and from the destination, in the connections by which keys are read.</summary>
    public long PollBytes { get; init; }

    /// <summary>
    /// Which share of its time the destination spent with GET and MGET, by its own count, which is of all its clients;
    /// null where it does not report it.
    /// </summary>
    public double? ReadingShare { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The direct way between the two hosts; null where no probe went from host to host.</summary>
    public DirectRoute? Direct { get; init; }

    /// <summary>What only heartbeats have; null where each key was written once.</summary>
    public HeartbeatFacts? Heartbeat { get; init; }
}
