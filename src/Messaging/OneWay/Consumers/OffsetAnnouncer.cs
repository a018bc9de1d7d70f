using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Clocks.Offsets;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.OneWay.Consumers;

/// <summary>
/// Tells one consumer the offset of its clock, window by window. It has a lane of its own, because a stream's lane
/// belongs to its measuring thread. What is published may be lost, so each frame repeats the latest windows.
/// </summary>
/// <remarks>One thread. A lost connection is tried for again with each window; nothing is thrown for it.</remarks>
public sealed class OffsetAnnouncer : IDisposable
{
    private readonly StreamConnection _connection;
    private readonly FrameBuffer _frame;
    private readonly byte[] _payload = new byte[OffsetPayload.MaxLength];
    private readonly ToldWindow[] _windows = new ToldWindow[OffsetPayload.MostWindows];
    private readonly ulong _consumer;
    private int _count;
    private long _sequence;

    /// <summary>Makes an announcer; nothing is connected yet.</summary>
    /// <param name="run">The run's number.</param>
    /// <param name="producer">This process, as it signs its frames.</param>
    /// <param name="consumer">Whom it tells, as that one signs its echoes.</param>
    /// <param name="openLane">Opens a lane that publishes to the channel of stream 0, and subscribes to none.</param>
    public OffsetAnnouncer(ulong run, ulong producer, ulong consumer, Func<IPubSubLane> openLane)
    {
        _connection = new StreamConnection(openLane, TimeSpan.MaxValue);
        _frame = new FrameBuffer(run, producer, 0, OffsetPayload.MaxLength);
        _consumer = consumer;
    }

    /// <summary>Why the consumer may not know the latest window; null where it was told.</summary>
    public string? Failure { get; private set; }

    /// <summary>Opens the lane.</summary>
    /// <exception cref="RedisException">It cannot be opened.</exception>
    public void Connect() => _connection.Open();

    /// <summary>Tells a window that is final.</summary>
    public void Announce(OffsetWindow window)
    {
        ArgumentNullException.ThrowIfNull(window);
        if (_count == _windows.Length)
            _windows.AsSpan(1).CopyTo(_windows);
        else
            _count++;
        _windows[_count - 1] = ToldWindow.Of(window);
        Publish(isLast: false);
    }

    /// <summary>Tells that no more windows will come; the consumer then finishes its series.</summary>
    public void Complete() => Publish(isLast: true);

    /// <inheritdoc/>
    public void Dispose() => _connection.Dispose();

    private void Publish(bool isLast)
    {
        try
        {
            if (!_connection.TryRestore(TimeSpan.Zero))
                return;
            var length = OffsetPayload.Write(_payload, _consumer, isLast, _windows.AsSpan(0, _count));
            _frame.SetPayload(_payload.AsSpan(0, length));
            var now = MonotonicClock.NowNs();
            _frame.Stamp(MessageKind.Offset, FrameFlags.None, _sequence++, now, now);
            var lane = _connection.Lane!;
            lane.DrainReplies();
            lane.Publish(0, _frame.Bytes);
            Failure = null;
        }
        catch (RedisException failure)
        {
            Failure = failure.Message;
            if (StreamConnection.IsLost(failure))
                _connection.Lose(failure);
        }
    }
}
