namespace RedisLatency.Peers.Asking;

/// <summary>
/// What became of the probes that were sent; may be read on any thread. Sent = answered + queue full + impossible +
/// unanswered, once the exchange has stopped.
/// </summary>
public sealed class ProbeExchangeCounts
{
    private long _sent;
    private long _unsent;
    private long _answered;
    private long _unanswered;
    private long _impossible;
    private long _unasked;
    private long _unauthenticated;
    private long _foreign;
    private long _queueFull;
    private long _laneChanges;

    /// <summary>Questions that left.</summary>
    public long Sent { get => Volatile.Read(ref _sent); internal set => Volatile.Write(ref _sent, value); }

    /// <summary>Questions that were due while the lane took none.</summary>
    public long Unsent { get => Volatile.Read(ref _unsent); internal set => Volatile.Write(ref _unsent, value); }

    /// <summary>Answers that were handed out.</summary>
    public long Answered { get => Volatile.Read(ref _answered); internal set => Volatile.Write(ref _answered, value); }

    /// <summary>Questions given up: no answer came in time.</summary>
    public long Unanswered
    {
        get => Volatile.Read(ref _unanswered);
        internal set => Volatile.Write(ref _unanswered, value);
    }

    /// <summary>
    /// Authentic answers with stamps that cannot be: sent before it was received, kept for longer than the whole took,
    /// or beyond any clock.
    /// </summary>
    public long Impossible
    {
        get => Volatile.Read(ref _impossible);
        internal set => Volatile.Write(ref _impossible, value);
    }

    /// <summary>Authentic answers to a question that was not asked, was answered before, or was given up.</summary>
    public long Unasked { get => Volatile.Read(ref _unasked); internal set => Volatile.Write(ref _unasked, value); }

    /// <summary>Answers sealed with another key.</summary>
    public long Unauthenticated
    {
        get => Volatile.Read(ref _unauthenticated);
        internal set => Volatile.Write(ref _unauthenticated, value);
    }

    /// <summary>What came that is no answer of this protocol and version, or of another run.</summary>
    public long Foreign { get => Volatile.Read(ref _foreign); internal set => Volatile.Write(ref _foreign, value); }

    /// <summary>Answers that nobody fetched in time.</summary>
    public long QueueFull
    {
        get => Volatile.Read(ref _queueFull);
        internal set => Volatile.Write(ref _queueFull, value);
    }

    /// <summary>How often the lane was changed because it brought no answers.</summary>
    public long LaneChanges
    {
        get => Volatile.Read(ref _laneChanges);
        internal set => Volatile.Write(ref _laneChanges, value);
    }
}
