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
