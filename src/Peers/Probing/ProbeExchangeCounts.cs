namespace RedisLatency.Peers.Probing;

/// <summary>
/// What became of the probes that were sent; may be read on any thread. Sent = answered + queue full + impossible +
/// unanswered, once the exchange has stopped.
/// </summary>
public sealed class ProbeExchangeCounts
{
    /// <summary>Questions that left.</summary>
    public long Sent { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Questions that were due while the lane took none.</summary>
    public long Unsent { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Answers that were handed out.</summary>
    public long Answered { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Questions given up: no answer came in time.</summary>
    public long Unanswered { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>
    /// Authentic answers with stamps that cannot be: sent before it was received, kept for longer than the whole took,
    /// or beyond any clock.
    /// </summary>
    public long Impossible { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Authentic answers to a question that was not asked, was answered before, or was given up.</summary>
    public long Unasked { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Answers sealed with another key.</summary>
    public long Unauthenticated { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>What came that is no answer of this protocol and version, or of another run.</summary>
    public long Foreign { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>Answers that nobody fetched in time.</summary>
    public long QueueFull { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }

    /// <summary>How often the lane was changed because it brought no answers.</summary>
    public long LaneChanges { get => Volatile.Read(ref field); internal set => Volatile.Write(ref field, value); }
}
