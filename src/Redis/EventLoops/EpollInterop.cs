using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>The calls of epoll(7) and eventfd(2), blittable; errno is read right after a failure.</summary>
internal static unsafe class EpollInterop
{
    public const int CloseOnExec = 0x80000;
    public const int NonBlocking = 0x800;
    public const int Add = 1;
    public const int Delete = 2;
    public const int Modify = 3;
    public const uint In = 0x1;
    public const uint Out = 0x4;
    public const uint Error = 0x8;
    public const uint HangUp = 0x10;
    public const uint PeerClosed = 0x2000;
    public const uint EdgeTriggered = 1u << 31;
    public const int Interrupted = 4;
    public const int NotImplemented = 38;

    /// <summary>struct epoll_event is packed on x64 alone (EPOLL_PACKED in the kernel's eventpoll.h).</summary>
    public static readonly int EventSize = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16;

    public static readonly int TokenOffset = EventSize - sizeof(ulong);

    [DllImport("libc")]
    public static extern int epoll_create1(int flags);

    [DllImport("libc")]
    public static extern int epoll_ctl(int epoll, int operation, int descriptor, byte* request);

    [DllImport("libc")]
    public static extern int epoll_wait(int epoll, byte* events, int capacity, int timeoutMs);

    [DllImport("libc")]
    public static extern int epoll_pwait2(int epoll, byte* events, int capacity, long* timeout, void* signals);

    [DllImport("libc")]
    public static extern int eventfd(uint initial, int flags);

    [DllImport("libc")]
    public static extern nint read(int descriptor, void* buffer, nuint count);

    [DllImport("libc")]
    public static extern nint write(int descriptor, void* buffer, nuint count);

    [DllImport("libc")]
    public static extern int close(int descriptor);
}
