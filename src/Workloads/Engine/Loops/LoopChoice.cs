using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.EventLoops.Streams;

namespace RedisLatency.Workloads.Engine.Loops;

/// <summary>Makes the event loop that was asked for.</summary>
internal static class LoopChoice
{
    public static ReadinessLoop Create(LoopKind kind) => new(kind switch
    {
        LoopKind.Portable => new SelectPoller(),
        LoopKind.Epoll => new EpollPoller(),
        _ => ReadinessPoller.Create(),
    });
}
