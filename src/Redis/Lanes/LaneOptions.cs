namespace RedisLatency.Redis.Lanes;

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
