using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

internal interface IReadyHandler
{
    void Ready(Readiness readiness);
}
