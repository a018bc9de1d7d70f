using RedisLatency.Hosting.Options;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Hosting.Targets;

/// <summary>A server to speak to, with everything that opening a connection to it needs.</summary>
public sealed record ResolvedTarget(RedisEndpoint Endpoint, RedisConnectionOptions Connection, DriverKind Driver)
{
    /// <summary>What results call it: its address.</summary>
    public string Name => Endpoint.Address;

    /// <summary>Opens a lane with the target's driver.</summary>
    /// <exception cref="Redis.RedisException">
    /// It cannot be opened; the message names the endpoint and the reason.
    /// </exception>
    public IPubSubLane OpenLane(LaneOptions lane) => Driver switch
    {
        DriverKind.StackExchange => StackExchangeLane.Open(Endpoint, Connection, lane),
        _ => RawLane.Open(Endpoint, Connection, lane),
    };

    /// <summary>Opens a connection for questions: INFO and the like, never part of a measurement.</summary>
    public RedisConnection OpenControl() =>
        RedisConnection.Open(Endpoint, Connection with { ClientName = "redislatency-control" });
}
