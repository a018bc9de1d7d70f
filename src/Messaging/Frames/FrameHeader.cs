namespace RedisLatency.Messaging.Frames;

/// <summary>
/// A frame's header, read. Stamps are nanoseconds of the monotonic clock of the host that wrote them.
/// </summary>
internal readonly record struct FrameHeader
{
    public required MessageKind Kind { get; init; }

    public required FrameFlags Flags { get; init; }

    public required int Stream { get; init; }

    public required ulong Run { get; init; }

    public required ulong Producer { get; init; }

    /// <summary>The message's number in its stream, from 0; in an end frame how many were sent.</summary>
    public required long Sequence { get; init; }

    /// <summary>When the schedule wanted it out (producer's clock).</summary>
    public required long Intended { get; init; }

    /// <summary>When it went (producer's clock).</summary>
    public required long Sent { get; init; }

    /// <summary>When the consumer had it (consumer's clock); 0 before the echo.</summary>
    public required long Received { get; init; }

    /// <summary>When the consumer sent it back (consumer's clock); 0 before the echo.</summary>
    public required long Echoed { get; init; }

    /// <summary>The consumer that echoed it; 0 before the echo.</summary>
    public required ulong EchoInstance { get; init; }

    public bool IsEcho => EchoInstance != 0;

    /// <summary>How long the consumer kept it, in nanoseconds; one clock, so it needs no correction.</summary>
    public long Residence => Echoed - Received;
}

/// <summary>What a frame says of itself beside its kind; bytes 6 and 7.</summary>
[Flags]
public enum FrameFlags : ushort
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Sent to warm up: answered, counted apart and never measured.</summary>
    WarmUp = 1,

    /// <summary>In the answer to a hello: another producer of this run and instance is still at work.</summary>
    NameTaken = 2,

    /// <summary>In a message: the consumer takes it, and sends nothing back.</summary>
    NoEcho = 4,

    /// <summary>
    /// In a message: the producer will tell the consumer the offset of their clocks, so the consumer keeps the
    /// message's stamps.
    /// </summary>
    OffsetFollows = 8,
}

/// <summary>What a frame is for; the number travels in byte 5.</summary>
public enum MessageKind : byte
{
    /// <summary>A message whose latency is measured.</summary>
    Message = 1,

    /// <summary>A producer asks who is there; a consumer answers with the same kind.</summary>
    Hello = 2,

    /// <summary>A clock probe: stamped and returned like a message, counted apart.</summary>
    Probe = 3,

    /// <summary>A producer has finished; the sequence says how many messages it sent.</summary>
    End = 4,

    /// <summary>A producer tells one consumer the offset of their clocks, window by window; not answered.</summary>
    Offset = 5,

    /// <summary>
    /// A producer asks one consumer for what it made of its forward series, and the consumer answers with the same
    /// kind once it is done.
    /// </summary>
    Figures = 6,
}
