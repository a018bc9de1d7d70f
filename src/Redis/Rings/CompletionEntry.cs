using System.Runtime.InteropServices;

namespace RedisLatency.Redis.Rings;

/// <summary>struct io_uring_cqe.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct CompletionEntry
{
    public ulong Token;

    /// <summary>What the call would have returned, or its errno, negated.</summary>
    public int Result;

    public uint Flags;
}
