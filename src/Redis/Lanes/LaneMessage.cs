namespace RedisLatency.Redis.Lanes;

/// <summary>A message as a lane received it; its memory belongs to the lane.</summary>
public readonly ref struct LaneMessage(int channel, ReadOnlySpan<byte> payload, long receivedTimestamp)
{
    /// <summary>The index of the channel among those the lane subscribed to.</summary>
    public int Channel { get; } = channel;

    /// <summary>The message's bytes.</summary>
    public ReadOnlySpan<byte> Payload { get; } = payload;

    /// <summary>
    /// When this process had it, as <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> reads: right after the read
    /// from the socket that completed it (raw), on entry to the client's own delivery (StackExchange.Redis).
    /// </summary>
    public long ReceivedTimestamp { get; } = receivedTimestamp;
}
