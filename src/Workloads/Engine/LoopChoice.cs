using System.Runtime.Serialization;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Workloads.Engine;

/// <summary>Which event loop a machine gets, and why not a better one.</summary>
internal static class LoopChoice
{
    public static string? Problem(LoopKind kind) => kind switch
    {
        LoopKind.IoUring when UringLoop.Missing is { } missing => $"io_uring cannot be used here: {missing}",
        LoopKind.Epoll when ReadinessPoller.IsPortable => "epoll is on Linux alone",
        _ => null,
    };

    /// <summary>Why <see cref="LoopKind.Auto"/> did not choose io_uring, or null.</summary>
    public static string? FallBack(LoopKind kind) => kind == LoopKind.Auto ? Problem(LoopKind.IoUring) : null;

    public static StreamLoop Create(LoopKind kind)
    {
        if (Problem(kind) is { } problem)
            throw new PlatformNotSupportedException(problem);
        return kind switch
        {
            LoopKind.Portable => new ReadinessLoop(new SelectPoller()),
            LoopKind.IoUring => new UringLoop(),
            LoopKind.Auto when UringLoop.Missing is null => new UringLoop(),
            _ => new ReadinessLoop(ReadinessPoller.Create()),
        };
    }
}

internal enum LoopKind
{
    /// <summary>The best that the machine has; the result names it.</summary>
    Auto,

    Epoll,

    /// <summary>io_uring, where the kernel has it and the sandbox allows it.</summary>
    [EnumMember(Value = "io_uring")]
    IoUring,

    Portable,
}
