using System.Runtime.InteropServices;

namespace RedisLatency.Redis.Rings;

/// <summary>struct io_uring_sqe.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct SubmissionEntry
{
    [FieldOffset(0)]
    public byte Operation;

    [FieldOffset(1)]
    public byte Flags;

    [FieldOffset(2)]
    public ushort Priority;

    [FieldOffset(4)]
    public int Descriptor;

    [FieldOffset(16)]
    public ulong Address;

    [FieldOffset(24)]
    public uint Length;

    /// <summary>The flags of send and receive, the events of poll.</summary>
    [FieldOffset(28)]
    public uint OperationFlags;

    [FieldOffset(32)]
    public ulong Token;

    [FieldOffset(40)]
    public ushort BufferGroup;
}
