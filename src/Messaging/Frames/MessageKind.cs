namespace RedisLatency.Messaging.Frames;

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
