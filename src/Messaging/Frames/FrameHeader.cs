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
