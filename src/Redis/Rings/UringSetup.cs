using System.Runtime.InteropServices;

namespace RedisLatency.Redis.Rings;

/// <summary>struct io_uring_params, with the two offset tables in it.</summary>
[StructLayout(LayoutKind.Explicit, Size = 120)]
internal struct UringSetup
{
    [FieldOffset(0)]
    public uint SubmissionEntries;

    [FieldOffset(4)]
    public uint CompletionEntries;

    [FieldOffset(8)]
    public uint Flags;

    [FieldOffset(20)]
    public uint Features;

    [FieldOffset(40)]
    public uint SubmissionHead;

    [FieldOffset(44)]
    public uint SubmissionTail;

    [FieldOffset(48)]
    public uint SubmissionMask;

    [FieldOffset(56)]
    public uint SubmissionFlags;

    [FieldOffset(64)]
    public uint SubmissionArray;

    [FieldOffset(80)]
    public uint CompletionHead;

    [FieldOffset(84)]
    public uint CompletionTail;

    [FieldOffset(88)]
    public uint CompletionMask;

    [FieldOffset(100)]
    public uint Completions;
}
