using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>recv(2) and send(2) on Linux: a microsecond cheaper per call pair than <c>Socket</c>.</summary>
internal static unsafe class SocketInterop
{
    public const int DoNotWait = 0x40;
    public const int NoSignal = 0x4000;
    public const int Interrupted = 4;
    public const int WouldBlock = 11;

    [DllImport("libc")]
    public static extern nint recv(int descriptor, byte* buffer, nuint count, int flags);

    [DllImport("libc")]
    public static extern nint send(int descriptor, byte* buffer, nuint count, int flags);
}
