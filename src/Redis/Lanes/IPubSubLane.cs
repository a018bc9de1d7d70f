namespace RedisLatency.Redis.Lanes;

/// <summary>
/// One participant's way to publish and receive messages. A lane belongs to the thread that measures with it and
/// is not thread safe; after a <see cref="RedisConnectionLostException"/> it is dead and another is opened.
/// </summary>
public interface IPubSubLane : IDisposable
{
    /// <summary>What carries the messages: printed with every result.</summary>
    LaneDescription Description { get; }

    /// <summary>Publishes one message; returns when the bytes have been handed to the driver or the kernel.</summary>
    /// <param name="channel">The index of the channel among those the lane was opened to publish to.</param>
    /// <param name="payload">The message, copied before the call returns.</param>
    /// <exception cref="RedisConnectionLostException">A connection of the lane is gone.</exception>
    void Publish(int channel, ReadOnlySpan<byte> payload);

    /// <summary>Waits for the next message on the subscribed channels.</summary>
    /// <param name="untilTimestamp">
    /// Until when to wait, as <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> reads; a time that has passed
    /// looks once, without waiting. The lane may return early without a message, never much later.
    /// </param>
    /// <param name="message">The message; valid until the next call on this lane.</param>
    /// <returns>Whether there was one.</returns>
    /// <exception cref="RedisConnectionLostException">A connection of the lane is gone.</exception>
    bool TryReceive(long untilTimestamp, out LaneMessage message);

    /// <summary>
    /// Reads the replies to earlier publishes that have arrived, without blocking. PUBLISH answers with the number
    /// of receivers on one node: unread, those replies would fill the socket.
    /// </summary>
    /// <exception cref="RedisServerException">The server refused a publish.</exception>
    /// <exception cref="RedisConnectionLostException">A connection of the lane is gone.</exception>
    void DrainReplies();

    /// <summary>
    /// Asks the server over each connection of the lane whether it is still there. Whatever comes back is read by
    /// <see cref="TryReceive"/> and <see cref="DrainReplies"/>.
    /// </summary>
    /// <exception cref="RedisConnectionLostException">A connection of the lane is gone.</exception>
    void Ask();

    /// <summary>
    /// Since when a connection that was asked has brought nothing, as
    /// <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> reads; null where every one has.
    /// </summary>
    long? UnansweredSince { get; }
}

/// <summary>What carried a run's messages.</summary>
/// <param name="Driver"><c>raw</c> or <c>stackexchange</c>.</param>
/// <param name="Version">The version of the driver that really ran.</param>
/// <param name="Protocol">The RESP version that the connection speaks, 2 or 3.</param>
/// <param name="Transport">How bytes travel: <c>tcp</c>, <c>tls</c> or <c>unix</c>, and by which calls.</param>
/// <param name="AllocatesPerMessage">Whether the driver allocates for each message.</param>
public sealed record LaneDescription(
    string Driver, string Version, int Protocol, string Transport, bool AllocatesPerMessage);

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

/// <summary>What a lane is opened for.</summary>
public sealed class LaneOptions
{
    /// <summary>The channels that <see cref="IPubSubLane.Publish"/> takes by index.</summary>
    public IReadOnlyList<string> PublishChannels { get; init; } = [];

    /// <summary>The channels to subscribe to; the lane opens once all are confirmed.</summary>
    public IReadOnlyList<string> SubscribeChannels { get; init; } = [];

    /// <summary>Whether to spin on the socket instead of sleeping in the kernel until a message is there.</summary>
    public bool BusyPoll { get; init; }

    /// <summary>The name given to the connections (CLIENT SETNAME); spaces are not allowed in it.</summary>
    public string ClientName { get; init; } = "redislatency";

    /// <summary>The largest message in bytes that will be published or received.</summary>
    public int MaxPayload { get; init; } = (1 << 20) + 1024;
}
