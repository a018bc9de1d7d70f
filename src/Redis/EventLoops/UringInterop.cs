using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// The calls of io_uring(7), for which the C library has no names; errno is read right after a failure. Numbers are of
/// the kernel's include/uapi/linux/io_uring.h.
/// </summary>
internal static unsafe class UringInterop
{
    // The same on every architecture since 5.1.
    public const int SetupCall = 425;
    public const int EnterCall = 426;
    public const int RegisterCall = 427;

    public const uint SetupCompletionSize = 1u << 3;
    public const uint SetupSingleIssuer = 1u << 12;
    public const uint SetupDeferTaskRun = 1u << 13;
    public const uint FeatureSingleMap = 1u << 0;
    public const uint FeatureExtendedArgument = 1u << 8;

    /// <summary>Of the submission queue's flags.</summary>
    public const uint CompletionsOverflowed = 1u << 1;

    public const uint EnterGetEvents = 1u << 0;
    public const uint EnterExtendedArgument = 1u << 3;
    public const uint EnterRegisteredRing = 1u << 4;

    public const uint RegisterRingDescriptors = 20;
    public const uint RegisterBufferRing = 22;

    public const byte PollAdd = 6;
    public const byte AsyncCancel = 14;
    public const byte SendOperation = 26;
    public const byte ReceiveOperation = 27;
    public const ushort ReceiveMultishot = 1 << 1;
    public const byte SelectBuffer = 1 << 5;
    public const byte SkipSuccess = 1 << 6;

    public const uint CompletionHasBuffer = 1u << 0;
    public const uint CompletionHasMore = 1u << 1;
    public const int BufferShift = 16;

    public const nint SubmissionMap = 0;
    public const nint EntriesMap = 0x10000000;
    public const int ReadWrite = 3;
    public const int SharedPopulated = 0x8001;

    public const int WaitForAll = 0x100;
    public const int Busy = 16;
    public const int NoBuffers = 105;
    public const int TimedOut = 62;

    [DllImport("libc")]
    public static extern nint syscall(
        nint number, nint first, nint second, nint third, nint fourth, nint fifth, nint sixth);

    [DllImport("libc")]
    public static extern nint mmap(void* address, nuint length, int protection, int flags, int descriptor, nint offset);

    [DllImport("libc")]
    public static extern int munmap(void* address, nuint length);
}
