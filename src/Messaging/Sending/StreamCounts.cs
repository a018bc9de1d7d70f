namespace RedisLatency.Messaging.Sending;

/// <summary>
/// What happened to one stream's messages in one phase. Written by the stream's own thread; whoever reads it
/// meanwhile sees each number whole and at most a moment old.
/// </summary>
public sealed class StreamCounts
{
    /// <summary>Messages handed to the server.</summary>
    public long Sent { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>
    /// Messages that were due while there was no connection or, for a receive deadline, no room in flight.
    /// </summary>
    public long Unsent { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Echoes that came in time, each message once per consumer.</summary>
    public long Returned { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Echoes that came after the receive deadline; what they took is recorded like all others.</summary>
    public long Late { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Echoes that had come before, from the same consumer.</summary>
    public long Duplicated { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Echoes that came after one of a later message (RFC 4737).</summary>
    public long Reordered { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Answers that carry something else than what was sent.</summary>
    public long Wrong { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Frames whose checksum or form does not hold.</summary>
    public long Corrupted { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Messages on the reply channel that are no frames, another producer's, or not asked for.</summary>
    public long Foreign { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Of these, echoes of more consumers than are told apart.</summary>
    public long Unserved { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>
    /// Echoes whose stamps no clock can have given; they are among the returned, and their round trip is recorded, but
    /// nothing that rests on the consumer's stamps.
    /// </summary>
    public long Garbage { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>
    /// How long the message whose echo was waited for longest, and given up, had been sent by then, in nanoseconds.
    /// </summary>
    public long LongestFromSent { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>The same from when it was to be sent.</summary>
    public long LongestFromIntended
    {
        get => Volatile.Read(ref field);
        internal set => Volatile.Write(ref field, value);
    }

    /// <summary>Messages sent and neither returned nor past their deadline.</summary>
    public long InFlight { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Messages that had to wait for room in flight after they were due.</summary>
    public long LimitHits { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>
    /// Messages that the server refused for the time being (LOADING, …); they are among the sent, and lost.
    /// </summary>
    public long Refused { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>How often a connection was lost.</summary>
    public long ConnectionsLost { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Messages that the schedule asked for so far.</summary>
    public long Asked => Sent + Unsent;
}
