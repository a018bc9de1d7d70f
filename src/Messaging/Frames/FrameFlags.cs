namespace RedisLatency.Messaging.Frames;

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
