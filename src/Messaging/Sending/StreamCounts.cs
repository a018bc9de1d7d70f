namespace RedisLatency.Messaging.Sending;

/// <summary>
/// What happened to one stream's messages in one phase. Written by the stream's own thread; whoever reads it
/// meanwhile sees each number whole and at most a moment old.
/// </summary>
public sealed class StreamCounts
{
    private long _sent;
    private long _unsent;
    private long _returned;
    private long _late;
    private long _duplicated;
    private long _reordered;
    private long _wrong;
    private long _corrupted;
    private long _foreign;
    private long _unserved;
    private long _garbage;
    private long _inFlight;
    private long _limitHits;
    private long _refused;
    private long _connectionsLost;

    /// <summary>Messages handed to the server.</summary>
    public long Sent { get => Volatile.Read(ref _sent); internal set => Volatile.Write(ref _sent, value); }

    /// <summary>
    /// Messages that were due while there was no connection or, for a receive deadline, no room in flight.
    /// </summary>
    public long Unsent { get => Volatile.Read(ref _unsent); internal set => Volatile.Write(ref _unsent, value); }

    /// <summary>Echoes that came in time, each message once per consumer.</summary>
    public long Returned { get => Volatile.Read(ref _returned); internal set => Volatile.Write(ref _returned, value); }

    /// <summary>Echoes that came after the receive deadline; what they took is recorded like all others.</summary>
    public long Late { get => Volatile.Read(ref _late); internal set => Volatile.Write(ref _late, value); }

    /// <summary>Echoes that had come before, from the same consumer.</summary>
    public long Duplicated
    {
        get => Volatile.Read(ref _duplicated);
        internal set => Volatile.Write(ref _duplicated, value);
    }

    /// <summary>Echoes that came after one of a later message (RFC 4737).</summary>
    public long Reordered
    {
        get => Volatile.Read(ref _reordered);
        internal set => Volatile.Write(ref _reordered, value);
    }

    /// <summary>Answers that carry something else than what was sent.</summary>
    public long Wrong { get => Volatile.Read(ref _wrong); internal set => Volatile.Write(ref _wrong, value); }

    /// <summary>Frames whose checksum or form does not hold.</summary>
    public long Corrupted
    {
        get => Volatile.Read(ref _corrupted);
        internal set => Volatile.Write(ref _corrupted, value);
    }

    /// <summary>Messages on the reply channel that are no frames, another producer's, or not asked for.</summary>
    public long Foreign { get => Volatile.Read(ref _foreign); internal set => Volatile.Write(ref _foreign, value); }

    /// <summary>Of these, echoes of more consumers than are told apart.</summary>
    public long Unserved { get => Volatile.Read(ref _unserved); internal set => Volatile.Write(ref _unserved, value); }

    /// <summary>
    /// Echoes whose stamps no clock can have given; they are among the returned, and their round trip is recorded, but
    /// nothing that rests on the consumer's stamps.
    /// </summary>
    public long Garbage { get => Volatile.Read(ref _garbage); internal set => Volatile.Write(ref _garbage, value); }

    /// <summary>Messages sent and neither returned nor past their deadline.</summary>
    public long InFlight { get => Volatile.Read(ref _inFlight); internal set => Volatile.Write(ref _inFlight, value); }

    /// <summary>How often a due message had to wait for room in flight.</summary>
    public long LimitHits
    {
        get => Volatile.Read(ref _limitHits);
        internal set => Volatile.Write(ref _limitHits, value);
    }

    /// <summary>
    /// Messages that the server refused for the time being (LOADING, …); they are among the sent, and lost.
    /// </summary>
    public long Refused { get => Volatile.Read(ref _refused); internal set => Volatile.Write(ref _refused, value); }

    /// <summary>How often a connection was lost.</summary>
    public long ConnectionsLost
    {
        get => Volatile.Read(ref _connectionsLost);
        internal set => Volatile.Write(ref _connectionsLost, value);
    }

    /// <summary>Messages that the schedule asked for so far.</summary>
    public long Asked => Sent + Unsent;
}
