using System.Runtime.Serialization;

namespace RedisLatency.Workloads.Rates;

/// <summary>Which event loop drives the connections.</summary>
internal enum LoopKind
{
    /// <summary>The best that the machine has; the result names it.</summary>
    Auto,

    /// <summary>epoll, on Linux.</summary>
    Epoll,

    /// <summary>io_uring, where the kernel has it and the sandbox allows it.</summary>
    [EnumMember(Value = "io_uring")]
    IoUring,

    /// <summary>What every system has.</summary>
    Portable,
}
