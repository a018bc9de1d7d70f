using System.Collections.Concurrent;
using System.Diagnostics;
using RedisLatency.Redis.Lanes;
using Client = StackExchange.Redis;

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

    private readonly ReceiveQueue _queue;
    private readonly ConcurrentQueue<string> _refusals = new();
    private readonly bool _busyPoll;
    private readonly string _endpoint;
    private Client.ConnectionMultiplexer? _publishing;
    private Client.ConnectionMultiplexer? _subscribing;
    private Client.ISubscriber? _publisher;
    private Client.RedisChannel[] _channels = [];
    private volatile RedisConnectionLostException? _lost;

    private StackExchangeLane(string endpoint, bool busyPoll, int queueCapacity)
    {
        _endpoint = endpoint;
        _busyPoll = busyPoll;
        _queue = new ReceiveQueue(queueCapacity);
    }

    /// <inheritdoc/>
    public LaneDescription Description { get; private set; } = null!;

    /// <summary>Connects and subscribes; returns once the server has confirmed every channel.</summary>
    /// <exception cref="UnsupportedByDriverException">The client's version lacks what is asked for.</exception>
    /// <exception cref="RedisConnectException">The server cannot be used.</exception>
    public static StackExchangeLane Open(StackExchangeTarget target, LaneOptions options) =>
        Open(target, options, QueueCapacity);

    /// <summary>As above, with a queue of a given length: a power of two.</summary>
    internal static StackExchangeLane Open(StackExchangeTarget target, LaneOptions options, int queueCapacity)
    {
        var lane = new StackExchangeLane(target.ToString(), options.BusyPoll, queueCapacity);
        try
        {
            lane.Connect(target, options);
            return lane;
        }
        catch
        {
            lane.Dispose();
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
        try
        {
            _publisher!.Publish(_channels[channel], payload.ToArray(), Client.CommandFlags.FireAndForget);
        }
        catch (Exception exception) when (exception is Client.RedisConnectionException or ObjectDisposedException)
        {
            throw Lost(exception);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ReceiveOverflowException">Messages came faster than they were taken.</exception>
    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        if (_queue.TakeOverflowed() is var count and > 0)
            throw new ReceiveOverflowException(count, _queue.Capacity);
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
    public void Dispose()
    {
        _publishing?.Close(allowCommandsToComplete: false);
        _subscribing?.Close(allowCommandsToComplete: false);
        _queue.Dispose();
    }

    private void Connect(StackExchangeTarget target, LaneOptions options)
    {
        if (options.SubscribeChannels.Count > 0)
        {
            _subscribing = ClientConnection.Open(target, options.ClientName);
            Watch(_subscribing, interactiveOnly: false);
            for (var i = 0; i < options.SubscribeChannels.Count; i++)
                Subscribe(_subscribing, i, options.SubscribeChannels[i]);
        }

        if (options.PublishChannels.Count > 0 || _subscribing is null)
        {
            _publishing = ClientConnection.Open(target, options.ClientName);
            Watch(_publishing, interactiveOnly: true);
            _publisher = _publishing.GetSubscriber();
            _channels = [.. options.PublishChannels.Select(Literal)];
        }

        var protocol = ClientVersion.Protocol((_publishing ?? _subscribing)!);
        var transport = $"{target.Transport}, the client's own threads";
        Description = new("stackexchange", ClientVersion.Name, protocol, transport, AllocatesPerMessage: true);
    }

    private void Subscribe(Client.ConnectionMultiplexer multiplexer, int index, string name)
    {
        var queue = _queue;
        try
        {
            ClientVersion.Subscribe(multiplexer, Literal(name), value =>
            {
                var receivedTimestamp = Stopwatch.GetTimestamp();
                queue.Enqueue(index, (byte[]?)value ?? [], receivedTimestamp);
            });
        }
        catch (Exception exception) when (ClientConnection.Translate(exception, _endpoint) is { } translated)
        {
            throw translated;
        }
    }

    // A multiplexer that only publishes has a subscription connection too: it carries nothing, so it may break.
    private void Watch(Client.ConnectionMultiplexer multiplexer, bool interactiveOnly)
    {
        multiplexer.ErrorMessage += (_, error) => _refusals.Enqueue(error.Message);
        multiplexer.ConnectionFailed += (_, failure) =>
        {
            if (interactiveOnly && failure.ConnectionType == Client.ConnectionType.Subscription)
                return;
            Lost(failure.Exception, failure.FailureType.ToString());

            // Else the client would connect again, and subscribe, for nobody.
            multiplexer.Close(allowCommandsToComplete: false);
        };
    }

    private RedisConnectionLostException Lost(Exception? cause, string reason = "not connected")
    {
        var lost = new RedisConnectionLostException($"{_endpoint}: the connection is lost ({reason}).", cause);
        lost = Interlocked.CompareExchange(ref _lost, lost, null) ?? lost;
        _queue.Wake();
        return lost;
    }

    private void ThrowIfLost()
    {
        if (_lost is { } lost)
            throw lost;
    }

    private static Client.RedisChannel Literal(string name) => new(name, Client.RedisChannel.PatternMode.Literal);
}
