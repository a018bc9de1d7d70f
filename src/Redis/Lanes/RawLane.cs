using System.Reflection;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Lanes;

/// <summary>
/// The instrument: as little as possible between a stamp and the socket. One connection publishes, another is
/// subscribed; both are used on the caller's thread, and no message allocates.
/// </summary>
public sealed class RawLane : IPubSubLane
{
    private readonly RawPublisher? _publisher;
    private readonly RawSubscriber? _subscriber;

    private RawLane(RawPublisher? publisher, RawSubscriber? subscriber)
    {
        _publisher = publisher;
        _subscriber = subscriber;
        var connection = publisher?.Connection ?? subscriber!.Connection;
        Description = new LaneDescription(
            "raw",
            typeof(RawLane).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
                ?.InformationalVersion.Split('+')[0] ?? string.Empty,
            connection.Protocol,
            (subscriber?.Connection ?? connection).TransportDescription,
            AllocatesPerMessage: connection.Endpoint.UseTls);
    }

    /// <inheritdoc/>
    public LaneDescription Description { get; }

    /// <summary>
    /// How many receivers on its own node the server counted for the last publish it answered; -1 before.
    /// </summary>
    public long LastReceiverCount => _publisher?.LastReceiverCount ?? -1;

    /// <summary>Opens the connections that the channels need, and subscribes.</summary>
    /// <exception cref="ArgumentException">No channel is given.</exception>
    /// <exception cref="RedisException">A connection cannot be opened, or subscribing is refused.</exception>
    public static RawLane Open(RedisEndpoint endpoint, RedisConnectionOptions options, LaneOptions lane)
    {
        if (lane.PublishChannels.Count + lane.SubscribeChannels.Count == 0)
            throw new ArgumentException("A lane needs a channel to publish or to subscribe to.", nameof(lane));
        options = options with { ClientName = lane.ClientName, BusyPoll = lane.BusyPoll || options.BusyPoll };
        var publisher = lane.PublishChannels.Count > 0 ? RawPublisher.Open(endpoint, options, lane) : null;
        try
        {
            var subscriber = lane.SubscribeChannels.Count > 0 ? RawSubscriber.Open(endpoint, options, lane) : null;
            return new RawLane(publisher, subscriber);
        }
        catch
        {
            publisher?.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Publish(int channel, ReadOnlySpan<byte> payload) =>
        (_publisher ?? throw NotOpened()).Publish(channel, payload);

    /// <inheritdoc/>
    public void DrainReplies() => _publisher?.DrainReplies();

    /// <inheritdoc/>
    public bool TryReceive(long untilTimestamp, out LaneMessage message) =>
        (_subscriber ?? throw NotOpened()).TryReceive(untilTimestamp, out message);

    /// <inheritdoc/>
    public void Ask()
    {
        _publisher?.Ask();
        _subscriber?.Ask();
    }

    /// <inheritdoc/>
    public long? UnansweredSince => (_publisher?.UnansweredSince, _subscriber?.UnansweredSince) switch
    {
        ({ } publishing, { } receiving) => Math.Min(publishing, receiving),
        var (publishing, receiving) => publishing ?? receiving,
    };

    /// <inheritdoc/>
    public void Dispose()
    {
        _publisher?.Dispose();
        _subscriber?.Dispose();
    }

    private static InvalidOperationException NotOpened() => new("The lane was not opened for this direction.");
}
