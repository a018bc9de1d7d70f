using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

/// <summary>The owner of a socket of the link's loop.</summary>
internal interface IReadyHandler
{
    void Ready(Readiness readiness);
}
