using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.Presence;
using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Messaging.Echoing;

/// <summary>What a consumer has had of one producer's stream.</summary>
public sealed class ServedStream
{
    // Made anew where the first measured message shows that it was under way before this consumer was there.
    private SequenceTracker _tracker = new();
    private long _received;
    private long _warmUp;
    private long _kept;
    private long _sent = -1;

    internal ServedStream(ulong run, ulong producer, int stream) => (Run, Producer, Stream) = (run, producer, stream);

    /// <summary>Its place in the order of first appearance.</summary>
    internal long Number { get; init; }

    /// <summary>The run's number.</summary>
    public ulong Run { get; }

    /// <summary>The producing process.</summary>
    public ulong Producer { get; }

    /// <summary>Which of its parallel streams.</summary>
    public int Stream { get; }

    /// <summary>Who it said it is; null where its hello was missed.</summary>
    public HelloContent? Content { get; internal set; }

    /// <summary>When it was last heard, in nanoseconds of the monotonic clock.</summary>
    public long LastHeard { get; private set; }

    /// <summary>Whether its end frame has come.</summary>
    public bool HasEnded => Volatile.Read(ref _sent) >= 0;

    /// <summary>Measured messages that came, duplicates included.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>Warm-up messages that came.</summary>
    public long WarmUp => Volatile.Read(ref _warmUp);

    /// <summary>Messages of either kind that were not sent back, as their producer asked.</summary>
    public long Kept => Volatile.Read(ref _kept);

    /// <summary>
    /// What became of its messages: against what its end frame said, or before that against the highest that came.
    /// </summary>
    public SequenceCounts Count() => _tracker.Count(Sent);

    /// <summary>How many went before this consumer was there; they are not in <see cref="Count"/>.</summary>
    public long Missed { get; private set; }

    private long Sent => Math.Max(0, (HasEnded ? Volatile.Read(ref _sent) : _tracker.Highest + 1) - Missed);

    /// <summary>
    /// The same on any thread, while messages come: where some came beyond the end, what was lost is not known yet.
    /// </summary>
    public SequenceCounts CountSoFar()
    {
        // Read in this order: a message that comes meanwhile is not taken for lost.
        var sent = Sent;
        var all = _tracker.Received;
        var received = Math.Min(sent, all);
        return new SequenceCounts(
            sent, received, 0, sent - received, _tracker.Duplicated, _tracker.Reordered, _tracker.Refused,
            all - received);
    }

    /// <summary>Accounts for a frame.</summary>
    /// <returns>Whether it is a measured message that came for the first time.</returns>
    internal bool Take(in FrameHeader header, long received)
    {
        LastHeard = received;
        var isWarmUp = (header.Flags & FrameFlags.WarmUp) != 0;
        if (header.Kind == MessageKind.Message && (header.Flags & FrameFlags.NoEcho) != 0)
            Volatile.Write(ref _kept, _kept + 1);
        if (header.Kind == MessageKind.End && !isWarmUp)
        {
            Volatile.Write(ref _sent, header.Sequence);
        }
        else if (header.Kind == MessageKind.Message && isWarmUp)
        {
            Volatile.Write(ref _warmUp, _warmUp + 1);
        }
        else if (header.Kind == MessageKind.Message)
        {
            // Who was there from the beginning has heard it ask, or warm up.
            if (_received == 0 && Content is null && WarmUp == 0 && header.Sequence > 0)
                _tracker = new SequenceTracker(Missed = header.Sequence);
            var arrival = _tracker.Observe(header.Sequence, afterDeadline: false);
            Volatile.Write(ref _received, _received + 1);
            return (arrival & SequenceArrival.First) != 0;
        }

        return false;
    }
}
