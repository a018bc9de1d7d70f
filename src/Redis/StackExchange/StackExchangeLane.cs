using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using Driver = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// What an application sees that uses StackExchange.Redis: messages are stamped where its handler would begin, after
/// the client's own reading, queueing and thread-pool hop. Publishing and subscribing have a multiplexer each,
/// because one that does both delays messages behind replies. The client's reconnecting is not used: a lane whose
/// connection broke is dead, as every lane is, so that what was lost meanwhile is counted and not papered over.
/// </summary>
public sealed class StackExchangeLane : IPubSubLane
{
    private const int QueueCapacity = 1 << 16;

    // No wait is longer, so that whoever waits sees a request to stop.
    private static readonly long Slice = TimestampSpan.FromDuration(Transport.Slice);

    private readonly ReceiveQueue _queue;
    private readonly ConcurrentQueue<string> _refusals = new();
    private readonly bool _busyPoll;
    private readonly RedisEndpoint _endpoint;
    private Driver.ConnectionMultiplexer? _publishing;
    private Driver.ConnectionMultiplexer? _subscribing;
    private Driver.ISubscriber? _publisher;
    private Driver.RedisChannel[] _channels = [];
    private volatile RedisConnectionLostException? _lost;
    private Task? _question;
    private long _askedAt;

    private StackExchangeLane(RedisEndpoint endpoint, bool busyPoll, int queueCapacity)
    {
        _endpoint = endpoint;
        _busyPoll = busyPoll;
        _queue = new ReceiveQueue(queueCapacity);
    }

    /// <inheritdoc/>
    public LaneDescription Description { get; private set; } = null!;

    /// <summary>Connects and subscribes; returns once the server has confirmed every channel.</summary>
    /// <param name="endpoint">Where to.</param>
    /// <param name="options">How to connect.</param>
    /// <param name="lane">What for.</param>
    /// <param name="queueCapacity">How many messages may wait to be taken: a power of two.</param>
    /// <exception cref="ArgumentException">No channel is given.</exception>
    /// <exception cref="RedisException">A connection cannot be opened, or subscribing is refused.</exception>
    public static StackExchangeLane Open(
        RedisEndpoint endpoint, RedisConnectionOptions options, LaneOptions lane, int queueCapacity = QueueCapacity)
    {
        if (lane.PublishChannels.Count + lane.SubscribeChannels.Count == 0)
            throw new ArgumentException("A lane needs a channel to publish or to subscribe to.", nameof(lane));
        options = options with { ClientName = lane.ClientName };
        endpoint = ClientConnection.Rehearse(endpoint, options, lane.SubscribeChannels);
        var opened = new StackExchangeLane(endpoint, lane.BusyPoll || options.BusyPoll, queueCapacity);
        try
        {
            opened.Connect(options, lane);
            return opened;
        }
        catch
        {
            opened.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Hands one message to the client, fire and forget: the call returns once the message is queued, the client's
    /// writer thread sends it, and neither the server's answer nor a failure to write comes back here. A message
    /// queued while the connection breaks is dropped by the client, and is found missing by its sequence number.
    /// </summary>
    /// <inheritdoc/>
    public void Publish(int channel, ReadOnlySpan<byte> payload)
    {
        ThrowIfLost();
        var publisher = _publisher ?? throw NotOpened();
        try
        {
            publisher.Publish(_channels[channel], payload.ToArray(), Driver.CommandFlags.FireAndForget);
        }
        catch (Exception problem) when (problem is Driver.RedisConnectionException or ObjectDisposedException)
        {
            throw Lost(problem);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ReceiveOverflowException">Messages came faster than they were taken.</exception>
    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        if (_subscribing is null)
            throw NotOpened();
        if (_queue.TakeOverflowed() is var count and > 0)
            throw new ReceiveOverflowException(count, _queue.Capacity);
        untilTimestamp = Math.Min(untilTimestamp, Stopwatch.GetTimestamp() + Slice);
        while (true)
        {
            // Looked at before the queue: what arrived before the connection broke is still delivered.
            var lost = _lost;
            if (_queue.TryDequeue(out var channel, out var payload, out var receivedTimestamp))
            {
                message = new LaneMessage(channel, payload, receivedTimestamp);
                return true;
            }

            message = default;
            if (lost is not null)
                throw lost;
            if (Stopwatch.GetTimestamp() >= untilTimestamp)
                return false;
            if (_busyPoll)
                Thread.SpinWait(10);
            else
                _queue.Wait(untilTimestamp);
        }
    }

    /// <inheritdoc/>
    public void DrainReplies()
    {
        if (_refusals.TryDequeue(out var reply))
            throw new RedisServerException(reply);
        ThrowIfLost();
    }

    /// <inheritdoc/>
    public void Ask()
    {
        ThrowIfLost();
        if (_question is { IsCompleted: false })
            return;
        if (UnansweredSince is null)
            _askedAt = Stopwatch.GetTimestamp();
        _question = Task.WhenAll(
            _subscribing?.GetSubscriber().PingAsync() ?? Task.CompletedTask,
            _publishing?.GetDatabase().PingAsync() ?? Task.CompletedTask);
    }

    /// <inheritdoc/>
    public long? UnansweredSince => _question switch
    {
        null or { IsCompletedSuccessfully: true } => null,
        { Exception.InnerException: Driver.RedisServerException } => null, // Who may not ask is answered too.
        _ => _askedAt,
    };

    /// <inheritdoc/>
    public void Dispose()
    {
        _publishing?.Close(allowCommandsToComplete: false);
        _subscribing?.Close(allowCommandsToComplete: false);
        _queue.Dispose();
    }

    private void Connect(RedisConnectionOptions options, LaneOptions lane)
    {
        if (lane.SubscribeChannels.Count > 0)
        {
            _subscribing = ClientConnection.Open(_endpoint, options, isPublishing: false);
            Watch(_subscribing, interactiveOnly: false);
            for (var i = 0; i < lane.SubscribeChannels.Count; i++)
                Subscribe(_subscribing, i, lane.SubscribeChannels[i]);
        }

        if (lane.PublishChannels.Count > 0)
        {
            _publishing = ClientConnection.Open(_endpoint, options, isPublishing: true);
            Watch(_publishing, interactiveOnly: true);
            _publisher = _publishing.GetSubscriber();
            _channels = [.. lane.PublishChannels.Select(Literal)];
        }

        var bytes = _endpoint.UseTls ? "tls" : _endpoint.SocketPath is null ? "tcp" : "unix";
        var overridden = string.Join(", ", ClientConnection.Overridden(_endpoint));
        Description = new(
            "stackexchange",
            ClientConnection.Version,
            ClientConnection.Protocol((_publishing ?? _subscribing)!),
            $"{bytes}, the client's threads{(overridden.Length > 0 ? $", overriding {overridden}" : "")}",
            AllocatesPerMessage: true);
    }

    // Handlers given to Subscribe itself run in no order, one item of the thread pool each: the queue runs them in the
    // order of the channel.
    private void Subscribe(Driver.ConnectionMultiplexer multiplexer, int index, string name)
    {
        var queue = _queue;
        try
        {
            multiplexer.GetSubscriber().Subscribe(Literal(name)).OnMessage(message =>
            {
                var receivedTimestamp = Stopwatch.GetTimestamp();
                queue.Enqueue(index, (byte[]?)message.Message ?? [], receivedTimestamp);
            });
        }
        catch (Exception problem) when (ClientConnection.Translate(problem, _endpoint) is { } translated)
        {
            throw translated;
        }
    }

    // A multiplexer that only publishes has a subscription connection too: it carries nothing, so it may break.
    private void Watch(Driver.ConnectionMultiplexer multiplexer, bool interactiveOnly)
    {
        multiplexer.ErrorMessage += (_, error) => _refusals.Enqueue(error.Message);
        multiplexer.ConnectionFailed += (_, failure) =>
        {
            if (interactiveOnly && failure.ConnectionType == Driver.ConnectionType.Subscription)
                return;
            Lost(failure.Exception, failure.FailureType.ToString());

            // Else the client would connect again, and subscribe, for nobody.
            multiplexer.Close(allowCommandsToComplete: false);
        };
    }

    private RedisConnectionLostException Lost(Exception? cause, string reason = "not connected")
    {
        var lost = new RedisConnectionLostException($"{_endpoint}: the connection is lost ({reason})", cause);
        lost = Interlocked.CompareExchange(ref _lost, lost, null) ?? lost;
        _queue.Wake();
        return lost;
    }

    private void ThrowIfLost()
    {
        if (_lost is { } lost)
            throw lost;
    }

    private static InvalidOperationException NotOpened() => new("The lane was not opened for this direction.");

    private static Driver.RedisChannel Literal(string name) => new(name, Driver.RedisChannel.PatternMode.Literal);
}

/// <summary>Messages came faster than the measuring thread took them, and some are gone.</summary>
/// <param name="count">How many are gone.</param>
/// <param name="capacity">How many may wait.</param>
public sealed class ReceiveOverflowException(long count, int capacity) : RedisException(string.Create(
    CultureInfo.InvariantCulture,
    $"{count} messages were received but not taken in time: more than {capacity} were waiting to be measured."))
{
    /// <summary>How many messages are gone since this was last thrown.</summary>
    public long Count { get; } = count;
}
